import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import type { AppName } from '../../contract/define.ts';

const PAGES = join(import.meta.dirname, 'page');
const LOCALES = join(import.meta.dirname, '../../../locales/apps');

/**
 * The one file of an app, from its sources in `page/`: styles, texts and code in the document, and a policy that lets nothing
 * else run or load. It has no data: the host sends that.
 */
export function buildPage(name: AppName, title: string): string {
  const code = bundle(`${name}.ts`);
  const styles = `${read('app.css')}\n${read(`${name}.css`)}`;
  const texts = { en: textsOf(name, 'en'), es: textsOf(name, 'es') };
  const script = `'use strict';\nconst TEXTS = ${JSON.stringify(texts)};\n${code}`;
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    // An email brings its own.
    "style-src 'unsafe-inline'",
    'img-src data:',
    'media-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>
${withoutIndents(styles)}</style>
</head>
<body>
<main tabindex="-1" aria-busy="true"></main>
<script>${script}</script>
</body>
</html>
`;
}

const read = (file: string) => readFileSync(join(PAGES, file), 'utf8');

/** The texts of all apps, and those of this one. */
function textsOf(name: AppName, language: 'en' | 'es'): Readonly<Record<string, string>> {
  const texts = JSON.parse(readFileSync(join(LOCALES, `${language}.json`), 'utf8'));
  return { ...texts.page, ...texts[name] };
}

const IMPORT = /^import \{([^}]*)\} from '\.\/([\w-]+\.ts)';$/gm;
const EXPORT = /^export (?=(?:async )?(?:function|const) (\w+))/gm;

/** The modules of a page as one script: each is a function that returns what it exports, after those that it imports. */
function bundle(entry: string): string {
  const done = new Map<string, string>();
  const add = (file: string) => {
    if (done.has(file)) return;
    const code = stripTypeScriptTypes(read(file));
    const exported = [...code.matchAll(EXPORT)].map(([, name]) => name);
    const body = code
      .replace(IMPORT, (_line, names: string, from: string) => {
        add(from);
        return `const {${names.replaceAll(' as ', ': ')}} = ${variable(from)};`;
      })
      .replace(EXPORT, '');
    done.set(file, `const ${variable(file)} = (() => {\n${body}\nreturn { ${exported.join(', ')} };\n})();`);
  };
  add(entry);
  return withoutIndents([...done.values()].join('\n'));
}

const variable = (file: string) => `_${file.replace('.ts', '').replaceAll('-', '_')}`;

/** What only people read of a source is left out. */
function withoutIndents(source: string): string {
  return source
    .replace(/^\s*\/\*[\s\S]*?\*\/\s*$/gm, '')
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/^[ \t]+|[ \t]+$/gm, '')
    .replace(/\n{2,}/g, '\n');
}
