"""Links and anchors of Markdown pages and of pages of HTML: what leads where, and what can be led to.

Anchors of headings are those of GitHub: the text in lower case, without punctuation, blanks as hyphens; the second of a
name gets -1.
"""
import html
import re
from html.parser import HTMLParser


def without_code(text):
    """Lines of a page of Markdown, those of code blocks empty (so that line numbers stay), without code in lines."""
    out, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r" *(```+|~~~+)", line)
        if fence is None and mark:
            fence = mark.group(1)
            out.append("")
        elif fence is not None:
            if mark and line.strip().startswith(fence) and line.strip().strip("`~") == "":
                fence = None
            out.append("")
        else:
            out.append(line)
    return re.sub(r"(`+)(?!`).*?(?<!`)\1(?!`)", lambda m: re.sub(r"[^\n]", " ", m.group(0)), "\n".join(out), flags=re.S).split("\n")


def heading_text(source):
    """What is read of a heading: links as their words, without marks."""
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", source)
    return re.sub(r"[`*]", "", text).strip()


def slug(text, taken):
    """The anchor of a heading; `taken` counts those of the page."""
    name = re.sub(r"[^\w\- ]", "", html.unescape(text).lower()).replace(" ", "-")
    n = taken.get(name, 0)
    taken[name] = n + 1
    return f"{name}-{n}" if n else name


def markdown_anchors(text):
    taken, out, fence = {}, set(), False
    for line in text.split("\n"):
        if re.match(r" *```", line):
            fence = not fence
        m = None if fence else re.match(r"(#{1,6}) +(.*?)(?: +#+)? *$", line)
        if m:
            out.add(slug(heading_text(m.group(2)), taken))
        out.update(re.findall(r'<a (?:id|name)="([^"]+)"', line))
    return out


def markdown_links(text):
    """(line, target) of every link and picture, also where its words go over the end of a line."""
    joined = "\n".join(without_code(text))
    for m in re.finditer(r"\]\(\s*([^)\s]+)(?:\s+\"[^\"]*\")?\s*\)", joined):
        yield joined.count("\n", 0, m.start(1)) + 1, m.group(1)


class HtmlPage(HTMLParser):
    """Ids and links of one page."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.links, self.loaded, self.twice = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name == "id":
                if value in self.ids:
                    self.twice.append(value)
                self.ids.add(value)
            elif (tag, name) in (("a", "href"), ("link", "href"), ("img", "src"), ("script", "src")) and value:
                self.links.append((self.getpos()[0], value))
                if tag != "a":
                    self.loaded.append(value)
