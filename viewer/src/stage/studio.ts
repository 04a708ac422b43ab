// Light, background and ground, as in our rendered pictures: bright paper with a metric grid, or the same by night.
import {
    Color, DirectionalLight, DoubleSide, Group, HemisphereLight, Mesh, PlaneGeometry, Scene, ShaderMaterial, ShadowMaterial, Vector3,
} from "three";

export interface Look {
    top: string;
    bottom: string;
    grid: string;
    shadow: number;
    sky: number;
    key: number;
}

const LIGHT: Look = { top: "#fdfdfd", bottom: "#e9e9ea", grid: "#8f949b", shadow: 0.26, sky: 2.1, key: 1.95 };
const DARK: Look = { top: "#23272e", bottom: "#14171b", grid: "#8b95a3", shadow: 0.5, sky: 1.6, key: 2.1 };

export class Studio {
    private sky = new HemisphereLight(0xffffff, 0xc4beb6, 1);
    private key = new DirectionalLight(0xffffff, 1);
    private ground = new Group();
    private shade = new ShadowMaterial({ opacity: 0.3 });
    private grid: ShaderMaterial;
    private backdrop = makeBackdrop();

    constructor(scene: Scene, private up: Vector3) {
        this.grid = gridMaterial();
        const plane = new PlaneGeometry(1, 1);
        const shade = new Mesh(plane, this.shade);
        shade.receiveShadow = true;
        const lines = new Mesh(plane, this.grid);
        lines.renderOrder = -1;
        this.ground.add(lines, shade);
        this.ground.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), up);
        this.sky.position.copy(up);
        this.key.castShadow = true;
        this.key.shadow.mapSize.set(2048, 2048);
        this.key.shadow.radius = 1.5;
        scene.add(this.sky, this.key, this.key.target, this.ground, this.backdrop);
    }

    wear(dark: boolean): void {
        const look = dark ? DARK : LIGHT;
        const { top, bottom } = this.backdrop.material.uniforms;
        (top?.value as Color).set(look.top).convertLinearToSRGB();
        (bottom?.value as Color).set(look.bottom).convertLinearToSRGB();
        this.sky.intensity = look.sky;
        this.key.intensity = look.key;
        this.shade.opacity = look.shadow;
        (this.grid.uniforms["colour"]?.value as Color).set(look.grid);
    }

    castShadows(on: boolean): void {
        this.key.castShadow = on;
        this.shade.visible = on;
    }

    /** About what moves: a centre and how far it reaches [m]; the ground's height along up, where there is one. */
    surround(centre: Vector3, radius: number, floor: number | null): void {
        const side = new Vector3(-0.45, -0.6, 0).applyQuaternion(this.ground.quaternion);
        this.key.position.copy(centre).addScaledVector(side, 2.2 * radius).addScaledVector(this.up, 3 * radius);
        this.key.target.position.copy(centre);
        const box = this.key.shadow.camera;
        [box.left, box.right, box.bottom, box.top] = [-1.5 * radius, 1.5 * radius, -1.5 * radius, 1.5 * radius];
        [box.near, box.far] = [radius, 8 * radius];
        box.updateProjectionMatrix();
        this.key.shadow.normalBias = 0.004 * radius;
        this.key.shadow.bias = -0.0015;
        this.ground.visible = floor !== null;
        if (floor === null) return;
        const height = floor - centre.dot(this.up);
        this.ground.position.copy(centre).addScaledVector(this.up, height);
        this.ground.scale.setScalar(24 * radius);
        const uniforms = this.grid.uniforms;
        uniforms["cell"]!.value = 10 ** Math.floor(Math.log10(0.4 * radius));
        uniforms["reach"]!.value = 7 * radius;
        (uniforms["centre"]!.value as Vector3).copy(this.ground.position);
        (uniforms["across"]!.value as Vector3).set(1, 0, 0).applyQuaternion(this.ground.quaternion);
        (uniforms["along"]!.value as Vector3).set(0, 1, 0).applyQuaternion(this.ground.quaternion);
    }
}

/** A colour that runs from top to bottom, drawn after the bodies where none of them is. */
function makeBackdrop(): Mesh<PlaneGeometry, ShaderMaterial> {
    const look = new ShaderMaterial({
        depthWrite: false,
        uniforms: { top: { value: new Color() }, bottom: { value: new Color() } },
        vertexShader: `
            uniform vec3 top; uniform vec3 bottom;
            varying vec3 seen;
            void main() {
                seen = mix(bottom, top, 0.5 + 0.5 * position.y);
                gl_Position = vec4(position.xy, 1.0, 1.0);
            }`,
        fragmentShader: `
            varying vec3 seen;
            void main() {
                gl_FragColor = vec4(seen, 1.0);
            }`,
    });
    const plane = new Mesh(new PlaneGeometry(2, 2), look);
    plane.frustumCulled = false;
    plane.renderOrder = 1;
    return plane;
}

/** Thin lines every cell, stronger every ten, that fade with distance. */
function gridMaterial(): ShaderMaterial {
    return new ShaderMaterial({
        transparent: true,
        depthWrite: false,
        side: DoubleSide,
        uniforms: {
            cell: { value: 1 }, reach: { value: 10 }, colour: { value: new Color() },
            centre: { value: new Vector3() }, across: { value: new Vector3(1, 0, 0) }, along: { value: new Vector3(0, 1, 0) },
        },
        vertexShader: `
            varying vec3 place;
            void main() {
                vec4 world = modelMatrix * vec4(position, 1.0);
                place = world.xyz;
                gl_Position = projectionMatrix * viewMatrix * world;
            }`,
        fragmentShader: `
            uniform float cell; uniform float reach; uniform vec3 colour; uniform vec3 centre; uniform vec3 across; uniform vec3 along;
            varying vec3 place;
            float lines(vec2 p) {
                vec2 away = abs(fract(p - 0.5) - 0.5) / fwidth(p);
                // Where lines lie closer than a few pixels they would flicker.
                vec2 calm = 1.0 - smoothstep(0.15, 0.4, fwidth(p));
                vec2 line = (1.0 - min(away, 1.0)) * calm;
                return max(line.x, line.y);
            }
            void main() {
                vec2 p = vec2(dot(place, across), dot(place, along)) / cell;
                float fade = 1.0 - smoothstep(0.0, 1.0, length(place - centre) / reach);
                float line = max(0.22 * lines(p), 0.4 * lines(p / 10.0));
                gl_FragColor = vec4(colour, line * fade);
                #include <colorspace_fragment>
            }`,
    });
}
