// Edges of instanced bodies: line segments that share the matrices of an instanced mesh, so that
// they cost one draw call and no work per frame.
import { LineSegments, type BufferGeometry, type InstancedBufferAttribute, type InstancedMesh, type Material } from "three";

export class InstancedEdges extends LineSegments {
  readonly isInstancedMesh = true;
  readonly instanceColor = null;
  readonly morphTexture = null;
  instanceMatrix: InstancedBufferAttribute;
  override count: number;

  constructor(geometry: BufferGeometry, material: Material, of: InstancedMesh) {
    super(geometry, material);
    this.instanceMatrix = of.instanceMatrix;
    this.count = of.count;
    this.frustumCulled = false;
    this.raycast = () => undefined;
  }
}
