import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../children.ts';

export type CompositionName = 'hold' | 'comp';

/** A command that renders one of the compositions to a file, as a process that does nothing else. */
export type Renderer = {
  readonly name: string;
  command(composition: CompositionName, seconds: number, output: string): readonly string[];
  readonly environment: Readonly<Record<string, string>>;
};

type Ground = {
  /** Holds `public/photo.jpg`; renderers keep what they prepare here. */
  readonly folder: string;
  /** A chrome-headless-shell, the same for all. */
  readonly browser: string;
  readonly signal: AbortSignal;
};

const HERE = new URL('./', import.meta.url);
const ROOT = fileURLToPath(new URL('../../', HERE));
const FPS = 30;

const pathOf = (name: string) => fileURLToPath(new URL(name, HERE));

/** Its own script in the checkout with this root, with the compositions of this one. */
export function ourRenderer({ folder, browser }: Ground, name = 'stallhand', root = ROOT): Renderer {
  const photo = join(folder, 'public/photo.jpg');
  const script = join(root, 'bench/video/render-ours.ts');
  return {
    name,
    command(composition, seconds, output) {
      const page = join(folder, `${composition}.html`);
      writeFileSync(page, pageOf(composition));
      return [process.execPath, script, page, photo, String(seconds), output];
    },
    // As the image does, the process keeps a compile cache.
    environment: {
      PUPPETEER_EXECUTABLE_PATH: browser,
      NODE_COMPILE_CACHE: join(folder, `compile-cache-${name}`),
    },
  };
}

/** Bundles the page once, which is not measured. */
export async function remotionRenderer({ folder, browser, signal }: Ground): Promise<Renderer> {
  const bundle = join(folder, 'remotion');
  await run(
    process.execPath,
    [pathOf('peers/remotion/bundle.mjs'), join(folder, 'public'), bundle],
    {},
    signal,
  );
  return {
    name: 'remotion',
    command: (composition, seconds, output) => [
      process.execPath,
      pathOf('peers/remotion/render.mjs'),
      ...[bundle, composition, String(seconds * FPS), browser, output],
    ],
    environment: {},
  };
}

/** Its fastest way to encode; it shows its own sans-serif in place of the one that is named. */
export function hyperframesRenderer({ folder, browser }: Ground): Renderer {
  return {
    name: 'hyperframes',
    command: (composition, seconds, output) => {
      const project = prepareProject(folder, composition, seconds);
      return [
        process.execPath,
        pathOf('peers/node_modules/hyperframes/bin/hyperframes.mjs'),
        ...['render', project, '-o', output],
        ...['--quality', 'draft', '--crf', '20', '--workers', '2', '--quiet'],
      ];
    },
    environment: { DO_NOT_TRACK: '1', PRODUCER_HEADLESS_SHELL_PATH: browser },
  };
}

function prepareProject(folder: string, composition: CompositionName, seconds: number): string {
  const project = join(folder, `hyperframes-${composition}-${seconds}`);
  mkdirSync(project, { recursive: true });
  const stage = `<div id="stage" data-composition-id="main" data-width="1080" data-height="1920" data-duration="${seconds}" data-fps="${FPS}" data-start="0" data-no-timeline>`;
  const html = pageOf(composition).replace('<div id="stage">', stage).replace('{{photo}}', 'photo.jpg');
  writeFileSync(join(project, 'index.html'), html);
  copyFileSync(join(folder, 'public/photo.jpg'), join(project, 'photo.jpg'));
  return project;
}

/** `comp` is `hold`, and more of it moves. */
function pageOf(composition: CompositionName): string {
  const read = (name: string) => readFileSync(pathOf(`compositions/${name}`), 'utf8');
  const hold = read('hold.html');
  return composition === 'hold' ? hold : hold.replace('</style>', `${read('moving.css')}</style>`);
}
