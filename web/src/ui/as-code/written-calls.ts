import type { Operation } from '../../api/operation.ts';
import { requestOf } from '../../api/request-of.ts';

/** What is shown as code. */
export type Shown = {
  readonly operation: Operation;
  /** The operation's tool over MCP. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
};

/** The field of a provider's key, which a person has typed. */
const SECRET = 'api_key';
const HIDDEN = 'YOUR_PROVIDER_KEY';

/** The same call for a shell, a program and an assistant. */
export function writtenCalls(
  { operation, tool, input: typed }: Shown,
  { origin, hasKeys }: { readonly origin: string; readonly hasKeys: boolean },
) {
  const input = SECRET in typed ? { ...typed, [SECRET]: HIDDEN } : typed;
  const { method, url, body } = requestOf(operation, input as never);
  const address = `${origin}${url}`;
  return {
    curl: curl({ method, address, body, hasKeys }),
    typescript: typescript({ method, address, body, hasKeys }),
    mcp: JSON.stringify({ method: 'tools/call', params: { name: tool, arguments: input } }, null, 2),
  };
}

type Written = {
  readonly method: string;
  readonly address: string;
  readonly body: unknown;
  readonly hasKeys: boolean;
};

function curl({ method, address, body, hasKeys }: Written): string {
  return [
    `curl -X ${method} ${inShell(address)}`,
    ...(hasKeys ? ['-H "Authorization: Bearer $STALLHAND_API_KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${inShell(json(body))}`]),
  ].join(' \\\n  ');
}

/** Between single quotes a shell reads everything as it stands, but the quote itself. */
function inShell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function typescript({ method, address, body, hasKeys }: Written): string {
  // A variable of the program: `${name}`.
  const key = `    Authorization: \`Bearer $\{process.env.STALLHAND_API_KEY}\`,`;
  const headers = [
    ...(hasKeys ? [key] : []),
    ...(body === undefined ? [] : ["    'Content-Type': 'application/json',"]),
  ];
  return [
    `const response = await fetch(${JSON.stringify(address)}, {`,
    `  method: '${method}',`,
    ...(headers.length > 0 ? ['  headers: {', ...headers, '  },'] : []),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${json(body).replaceAll('\n', '\n  ')}),`]),
    '});',
    'if (!response.ok) throw new Error(await response.text());',
    'console.log(await response.json());',
  ].join('\n');
}

const json = (value: unknown) => JSON.stringify(value, null, 2);
