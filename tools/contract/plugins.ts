import { readdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ConfigError } from '../../src/config.ts';
import type { Tool } from './define.ts';

/** What a plug-in module exports: a tool as plain object. Its schemas may be of zod 4 or of zod 3. */
type PluginTool = Omit<Tool, 'toolset' | 'core' | 'lines'>;

const MODULE = /\.(js|mjs|ts)$/;
const NEEDED = [
  'name',
  'title',
  'description',
  'effect',
  'scope',
  'input',
  'output',
  'run',
  'examples',
] as const;

/**
 * The tools of every module in an operator's folder (TOOLS_PATH), in the order of the file names; none without a folder.
 * @throws ConfigError naming the file that cannot be used, and why
 */
export async function loadPlugins(folder: string | undefined): Promise<readonly Tool[]> {
  if (folder === undefined) return [];
  const names = await readdir(folder).catch(() => {
    throw new ConfigError(`TOOLS_PATH: cannot read the folder ${folder}`);
  });
  const files = names.filter((name) => MODULE.test(name)).sort();
  const found = await Promise.all(files.map((file) => loadPlugin(resolve(folder, file))));
  return found.flat();
}

async function loadPlugin(file: string): Promise<Tool[]> {
  const module = (await import(pathToFileURL(file).href).catch((error: unknown) => {
    throw new ConfigError(
      `TOOLS_PATH: ${file} does not load: ${error instanceof Error ? error.message : error}`,
    );
  })) as Readonly<Record<string, unknown>>;
  const exported = Object.values(module);
  if (exported.length === 0) throw new ConfigError(`TOOLS_PATH: ${file} exports no tool`);
  return exported.map((tool) => ({ ...checked(tool, file), toolset: 'plugins' }));
}

function checked(tool: unknown, file: string): PluginTool {
  const missing = NEEDED.filter((name) => typeof tool !== 'object' || tool === null || !(name in tool));
  if (missing.length > 0)
    throw new ConfigError(`TOOLS_PATH: ${file} exports a tool without ${missing.join(', ')}`);
  // Its parts are there; what they do is the operator's own code.
  return tool as PluginTool;
}
