import type { CallInput, Voice } from '../../src/voice.ts';
import { hasRest, type RestTool, type Tool } from './define.ts';

/**
 * Names calls as REST takes them: `GET /v1/templates/welcome/branches`, `GET /v1/jobs?status=running`,
 * `PATCH /v1/environments/production {"freeze":false}`. What is not known of a path stays `{open}`.
 */
export function restVoice(tools: readonly Tool[]): Voice {
  const byName = new Map(tools.filter(hasRest).map((tool) => [tool.name, tool]));
  return {
    transport: 'rest',
    call: (name, input) => ({ text: written(byName.get(name), input) ?? name }),
    operation: (name) => byName.get(name)?.rest.route ?? name,
  };
}

function written(tool: RestTool | undefined, input: CallInput): string | undefined {
  if (!tool) return undefined;
  const inPath = new Set<string>();
  const address = tool.rest.route.replace(/\{(\w+)\}/g, (open, name: string) => {
    inPath.add(name);
    const value = input[name];
    return value === undefined ? open : encodeURIComponent(value);
  });
  const rest = Object.entries(input).filter(([name]) => !inPath.has(name));
  if (rest.length === 0) return address;
  if (!/^(GET|DELETE) /.test(address)) return `${address} ${JSON.stringify(Object.fromEntries(rest))}`;
  return `${address}?${new URLSearchParams(Object.fromEntries(rest.map(([name, value]) => [name, String(value)]))).toString()}`;
}
