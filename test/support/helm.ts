import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments, stringify } from 'yaml';

/**
 * Renders a chart as `helm template` does, for the part of its language that our chart uses: values, `if`, `else`, `not`,
 * `range $key, $value`, `quote`, `default`, `toYaml` and `nindent`. Anything else throws. It does not know Kubernetes' schemas.
 */
export function renderChart(folder: string, values: object = {}, release = 'shop'): Rendered[] {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8');
  const chart = parse(read('Chart.yaml'));
  const root = {
    Values: merge(parse(read('values.yaml')), values),
    Release: { Name: release },
    Chart: { AppVersion: chart.appVersion },
  };
  return readdirSync(join(folder, 'templates'))
    .sort()
    .flatMap((file) => {
      const text = render(read(join('templates', file)), root);
      return parseAllDocuments(text, { strict: true, uniqueKeys: true }).flatMap((document) => {
        const [error] = document.errors;
        if (error) throw new Error(`${file}: ${error.message}\n${text}`);
        const found: Rendered | null = document.toJS();
        return found ? [found] : [];
      });
    });
}

// biome-ignore lint/suspicious/noExplicitAny: a manifest has the members that its kind has
export type Rendered = { kind: string; metadata: { name: string }; spec: any };

type Scope = Readonly<Record<string, unknown>>;
type Node = string | { readonly head: string; readonly body: Node[]; readonly otherwise: Node[] };

function render(text: string, root: Scope): string {
  const pieces = text
    .replace(/\s*\{\{-/g, '{{')
    .replace(/-\}\}\s*/g, '}}')
    .split(/(\{\{.*?\}\})/);
  const nodes = readNodes(pieces);
  if (pieces.length > 0) throw new Error('an end without a beginning');
  return write(nodes, { '.': root, $: root });
}

/** Reads until the end of a block, and takes what it has read. */
function readNodes(pieces: string[]): Node[] {
  const nodes: Node[] = [];
  while (pieces.length > 0 && !/^\{\{\s*(end|else)\s*\}\}$/.test(pieces[0] ?? '')) {
    const piece = pieces.shift() ?? '';
    const head = /^\{\{\s*((if|range)\s.*?)\s*\}\}$/.exec(piece)?.[1];
    if (head === undefined) {
      nodes.push(piece);
      continue;
    }
    const body = readNodes(pieces);
    const hasElse = pieces[0]?.includes('else') === true;
    if (hasElse) pieces.shift();
    const otherwise = hasElse ? readNodes(pieces) : [];
    if (!pieces.shift()?.includes('end')) throw new Error(`no end of: ${head}`);
    nodes.push({ head, body, otherwise });
  }
  return nodes;
}

function write(nodes: readonly Node[], scope: Scope): string {
  return nodes
    .map((node) => (typeof node === 'string' ? writeText(node, scope) : writeBlock(node, scope)))
    .join('');
}

function writeText(text: string, scope: Scope): string {
  const action = /^\{\{\s*(.*?)\s*\}\}$/.exec(text)?.[1];
  return action === undefined ? text : String(evaluate(action, scope) ?? '');
}

function writeBlock({ head, body, otherwise }: Exclude<Node, string>, scope: Scope): string {
  const range = /^range \$(\w+), \$(\w+) := (\S+)$/.exec(head);
  if (range) {
    const [, key = '', value = '', of = ''] = range;
    const entries = Object.entries(evaluate(of, scope) ?? {}).sort();
    return entries.map(([k, v]) => write(body, { ...scope, [`$${key}`]: k, [`$${value}`]: v })).join('');
  }
  const condition = head.replace(/^if /, '');
  const inverted = condition.startsWith('not ');
  const found = evaluate(condition.replace(/^not /, ''), scope);
  return write(Boolean(found) !== inverted ? body : otherwise, scope);
}

function evaluate(action: string, scope: Scope): unknown {
  const [first = '', ...pipes] = action.split(/\s*\|\s*/);
  const [head = '', argument] = first.split(' ');
  const start = head === 'toYaml' ? stringify(look(argument ?? '', scope)).trimEnd() : look(head, scope);
  return pipes.reduce<unknown>((value, pipe) => {
    const [name = '', given = ''] = pipe.split(' ');
    if (name === 'quote') return JSON.stringify(String(value ?? ''));
    if (name === 'default') return value || look(given, scope);
    if (name === 'nindent') return `\n${String(value).replace(/^/gm, ' '.repeat(Number(given)))}`;
    throw new Error(`not a function of this renderer: ${name}`);
  }, start);
}

/** `.Values.a.b`, `$.Values.a` or `$name.a`. @throws for a name that is not there */
function look(path: string, scope: Scope): unknown {
  const [variable = '', ...names] = path.startsWith('.')
    ? ['.', ...path.slice(1).split('.')]
    : path.split('.');
  if (!Object.hasOwn(scope, variable)) throw new Error(`no variable ${variable} in ${path}`);
  return names.reduce<unknown>((value, name) => {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
      throw new Error(`no value ${path}`);
    return Reflect.get(value, name);
  }, scope[variable]);
}

function merge(base: unknown, over: unknown): unknown {
  if (!isPlain(base) || !isPlain(over)) return over;
  const names = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...names].map((name) => [name, Object.hasOwn(over, name) ? merge(base[name], over[name]) : base[name]]),
  );
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
