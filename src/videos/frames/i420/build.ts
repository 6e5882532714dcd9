import { readFile } from 'node:fs/promises';

const SOURCE = new URL('convert.as', import.meta.url);

/** Compiles convert.as and returns the text of the file i420-wasm.ts. @throws Error with the compiler's message */
export async function i420WasmFile(): Promise<string> {
  return `/** The compiled convert.as: written by \`npm run generate\`. */\nexport const I420_WASM =\n  '${(await compile()).toString('base64')}';\n`;
}

async function compile(): Promise<Buffer> {
  // The compiler is a development dependency.
  const { default: compiler } = await import('assemblyscript/asc');
  const source = await readFile(SOURCE, 'utf8');
  let wasm: Buffer | undefined;
  const { error, stderr } = await compiler.main(['convert.ts', '--outFile', 'convert.wasm', ...OPTIONS], {
    readFile: (name) => (name === 'convert.ts' ? source : null),
    writeFile: (_name, contents) => {
      wasm = Buffer.from(contents);
    },
    listFiles: () => null,
  });
  if (error || !wasm) throw new Error(`convert.as does not compile: ${stderr.toString()}`, { cause: error });
  return wasm;
}

// No garbage collector and no heap: the caller passes all addresses.
const OPTIONS = [
  ...['--optimizeLevel', '3', '--shrinkLevel', '0', '--runtime', 'stub', '--noAssert', '--importMemory'],
  ...['--enable', 'simd', '--use', 'abort='],
];
