import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SETTINGS } from '../src/config.ts';
import { helperDocs } from '../src/templates/engine/engine.ts';
import { LINT_RULES } from '../src/templates/lint/rules.ts';
import { version } from '../src/version.ts';
import { i420WasmFile } from '../src/videos/frames/i420/build.ts';
import type { Tool } from '../tools/define.ts';
import { productRegistry } from '../tools/index.ts';
import { openapi } from './openapi.ts';

// Entry: `npm run generate` writes every file that follows from the code, `npm run generate -- --check` only compares.

const ROOT = new URL('../', import.meta.url);

type Setting = { readonly help: string; readonly fallback?: string; readonly secret: boolean };

const settings: readonly (readonly [string, Setting])[] = Object.entries(SETTINGS);
const { tools } = productRegistry();

const files: Record<string, string> = {
  '.env.example': envExample(),
  'docs/settings.md': settingsTable(),
  'docs/tools.md': toolsPage(),
  'docs/helpers.md': helpersPage(),
  'docs/lint.md': lintPage(),
  'src/videos/frames/i420/i420-wasm.ts': await i420WasmFile(),
  'docs/openapi.json': `${JSON.stringify(openapi(productRegistry(), version), null, 2)}\n`,
};

const stale: string[] = [];
for (const [name, text] of Object.entries(files)) {
  const path = fileURLToPath(new URL(name, ROOT));
  const present = await readFile(path, 'utf8').catch(() => '');
  if (present === text) continue;
  stale.push(name);
  if (process.argv.includes('--check')) continue;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`Stale: ${stale.join(', ')}. Run \`npm run generate\` and commit the result.\n`);
  process.exitCode = 1;
}

function envExample(): string {
  const lines = settings.map(
    ([name, { help, fallback }]) => `# ${help}\n#${name}=${fallback?.trim() ?? ''}\n`,
  );
  return `# Every setting, with its default. Secrets may also come from a file named by <NAME>_FILE.\n\n${lines.join('\n')}`;
}

function settingsTable(): string {
  const rows = settings.map(([name, { help, fallback, secret }]) => {
    const shown = fallback?.trim() ? `\`${fallback}\`` : '';
    return `| \`${name}\`${secret ? ` or \`${name}_FILE\`` : ''} | ${shown} | ${help} |`;
  });
  return ['# Settings', '', '| setting | default | meaning |', '|---|---|---|', ...rows, ''].join('\n');
}

function helpersPage(): string {
  const rows = helperDocs.map(
    ({ signature, about }) => `| \`${signature.replaceAll('|', '\\|')}\` | ${about} |`,
  );
  return [
    '# Helpers',
    '',
    'What a template may call.',
    '',
    '| helper | what it does |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function lintPage(): string {
  const rows = LINT_RULES.map(({ id, severity, title }) => `| \`${id}\` | ${severity} | ${title} |`);
  return [
    '# Lint',
    '',
    'What `lint_template` checks in a rendered email. An error breaks the email for a reader, a warning breaks or',
    'degrades it for some readers, and info is advice.',
    '',
    '| rule | severity | finds |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function toolsPage(): string {
  const index = tools.map(
    (tool) => `| [${tool.name}](#${tool.name}) | ${tool.route ? `\`${tool.route}\`` : ''} | ${tool.title} |`,
  );
  return [
    '# Operations',
    '',
    '| tool | REST | |',
    '|---|---|---|',
    ...index,
    '',
    ...tools.map(toolSection),
  ].join('\n');
}

function toolSection(tool: Tool): string {
  const facts = [
    `effect ${tool.effect}`,
    `scope \`${tool.scope}\``,
    ...(tool.core ? ['listed over MCP by default'] : []),
  ];
  const examples = tool.examples.map(({ title, given = [], input }) => {
    const calls = [...given, [tool.name, input] as const].map(
      ([name, value]) => `${name} ${JSON.stringify(value)}`,
    );
    return `${title}:\n\n\`\`\`\n${calls.join('\n')}\n\`\`\`\n`;
  });
  return [`## ${tool.name}`, '', tool.description, '', facts.join(' · '), '', ...examples].join('\n');
}
