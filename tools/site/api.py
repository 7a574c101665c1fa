"""The C interface as a page for each header: comments as text, declarations as they stand.

What stands between one comment of the outermost level and the next belongs to the comment before it. Functions that hand
on the size of a struct (`*_sized`) are shown as the inline function of the program's own code.
"""
import html
import re

COMMENT = re.compile(r"/\*(.*?)\*/", re.S)
NAMES = re.compile(r"\b(sar_\w+)\s*\(|^typedef (?:struct|enum) (\w+)|^#define (SAR_\w+)", re.M)
GUARDS = re.compile(r'^#ifdef __cplusplus\n(?:extern "C" \{|\})\n#endif\n', re.M)
INLINE = re.compile(r"^static inline ([^{;]*?)\s*\{\n.*?^\}\n", re.M | re.S)


def comment_text(text):
    lines = [re.sub(r"^\s*\* ?|^   ?", "", line).rstrip() for line in text.strip("\n").split("\n")]
    return "\n".join(line for line in lines if not re.fullmatch(r"-{4,}", line.strip())).strip()


def outermost(text):
    """(comment, declarations) pairs: comments that begin a line are of the outermost level, others are of a struct."""
    at, doc = 0, ""
    for m in re.finditer(r"^/\*(.*?)\*/[ \t]*\n", text, re.M | re.S):
        yield doc, text[at:m.start()]
        doc, at = comment_text(m.group(1)), m.end()
    yield doc, text[at:]


def tidy(code):
    code = re.sub(r"^#(pragma|include).*\n", "", code, flags=re.M)
    inline = {m.group(1).split("(")[0].split()[-1].lstrip("*") for m in INLINE.finditer(code)}
    code = INLINE.sub(lambda m: m.group(1) + ";\n", code)
    # the function behind an inline one
    code = re.sub(r"^SAR_API [^;]*?\b(sar_\w+)_sized\([^;]*;\n", lambda m: "" if m.group(1) in inline else m.group(0), code,
                  flags=re.M)
    code = re.sub(r"\bSAR_API ", "", code)
    return re.sub(r"\n{3,}", "\n\n", code).strip("\n")


def paragraphs(text, link):
    """A comment as HTML: indented lines keep their form."""
    out = []
    for block in re.split(r"\n\s*\n", text):
        lines = block.split("\n")
        if any(re.match(r" {2,}\S", line) for line in lines):
            out.append(f"<pre><code>{html.escape(block)}</code></pre>")
        elif block.strip():
            out.append(f"<p>{link(html.escape(' '.join(line.strip() for line in lines)))}</p>")
    return "\n".join(out)


class Header:
    def __init__(self, path):
        text = GUARDS.sub("", path.read_text())
        self.name = path.name
        self.title = ""
        self.blocks = []  # (comment, code, names)
        for doc, code in outermost(text):
            code = tidy(code)
            if not self.title and doc:
                m = re.match(r"(.+?)[.:](?:\s+|$)", doc, re.S)  # the first sentence, or what a colon ends
                self.title, doc = (" ".join(m.group(1).split()), doc[m.end():]) if m else (doc, "")
            if doc or code:
                self.blocks.append((doc, code, [next(filter(None, m.groups())) for m in NAMES.finditer(COMMENT.sub("", code))]))

    def names(self):
        for _, _, names in self.blocks:
            yield from names

    def body(self, where, page):
        """HTML of the page; `where` maps names to pages that define them."""

        def link(text):
            def to(m):
                name = m.group(0)
                if name not in where:
                    return name
                target = where[name] if where[name] != page else ""
                return f'<a href="{target}#{name}">{name}</a>'

            return re.sub(r"\b(?:sar_\w+|Sar[A-Z]\w*)\b", to, text)

        out, seen = [f"<h1>{html.escape(self.title)}</h1>", f"<p><code>#include &lt;sarrus/{self.name}&gt;</code></p>"], set()
        for doc, code, names in self.blocks:
            marks = ""
            for name in names:
                if name not in seen and where.get(name) == page:
                    seen.add(name)
                    marks += f'<a id="{name}"></a>'
            out.append(f'<section class="declaration">{marks}')
            if names:
                out.append(f"<h2>{', '.join(dict.fromkeys(names))}</h2>")
            if doc:
                out.append(paragraphs(doc, link))
            if code:
                out.append(f"<pre><code>{link(html.escape(code))}</code></pre>")
            out.append("</section>")
        return "\n".join(out)
