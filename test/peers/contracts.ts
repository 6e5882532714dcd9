import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { Ajv, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';

/** The published schema a request is held to. */
export type Contract = 'openai' | 'anthropic';

type Json = Record<string, unknown>;
type Check = (body: Json) => string[];

const FOLDER = new URL('../../../shared/contracts/', import.meta.url);

/** True where the folder with the published schemas is; without it requests go unchecked, and a line on standard error says so. */
export const contractsArePresent = existsSync(FOLDER);

const checks = new Map<Contract, Promise<Check>>();

/** What is wrong with a request's body by the provider's published schema, one sentence each. */
export async function contractFaults(contract: Contract, body: Json): Promise<string[]> {
  if (!contractsArePresent) {
    process.stderr.write(
      `NOT CHECKED: ${FOLDER.pathname} is absent, a request to ${contract} was not validated\n`,
    );
    return [];
  }
  const known = checks.get(contract) ?? (contract === 'openai' ? openaiCheck() : anthropicCheck());
  checks.set(contract, known);
  return (await known)(body);
}

/** The document refuses no unknown field, but the service does: the names are compared as well. */
async function openaiCheck(): Promise<Check> {
  const { components } = await readContract('openai-openapi-2026-08-21.json.gz');
  const root = { $ref: '#/components/schemas/CreateChatCompletionRequest' };
  const schemas = reachable((components as { schemas: Record<string, Json> }).schemas, root);
  const validate = new Ajv2020({ strict: false, validateFormats: false, allErrors: true }).compile({
    ...root,
    components: { schemas },
  });
  const names = new Set(
    ['CreateChatCompletionRequest', 'CreateModelResponseProperties', 'ModelResponseProperties'].flatMap(
      (name) => propertyNames(schemas[name]),
    ),
  );
  return (body) => [
    ...faultsOf(validate, body),
    ...Object.keys(body)
      .filter((name) => !names.has(name))
      .map((name) => `/${name} is not a field of the request`),
  ];
}

/** The schema describes the request without streaming; the field that asks for it is left out. */
async function anthropicCheck(): Promise<Check> {
  const schema = await readContract('anthropic-sdk-1.11.0-AnthropicReq.schema.json.gz');
  const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
  return ({ stream, ...body }) => [
    ...faultsOf(validate, body),
    ...(stream === undefined || typeof stream === 'boolean' ? [] : ['/stream is not a boolean']),
  ];
}

async function readContract(name: string): Promise<Json> {
  return JSON.parse(gunzipSync(await readFile(new URL(name, FOLDER))).toString());
}

/** The schemas `root` leads to: 60 of 1,422, so that compiling takes a moment and not seconds. */
function reachable(schemas: Record<string, Json>, root: Json): Record<string, Json> {
  const found: Record<string, Json> = {};
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    const { $ref } = node as Json;
    const name = typeof $ref === 'string' ? ($ref.split('/').at(-1) ?? '') : '';
    const schema = schemas[name];
    if (schema && !found[name]) {
      found[name] = schema;
      visit(schema);
    }
    // Two places of the document say `nullable` beside `oneOf`, which ajv refuses to compile.
    if ('nullable' in node && !('type' in node)) delete node['nullable'];
    Object.values(node).forEach(visit);
  };
  visit(root);
  return found;
}

function propertyNames(schema: Json | undefined): string[] {
  const parts = [schema, ...((schema?.['allOf'] as Json[] | undefined) ?? [])];
  return parts.flatMap((part) => Object.keys((part?.['properties'] as Json | undefined) ?? {}));
}

function faultsOf(validate: ValidateFunction, body: Json): string[] {
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}
