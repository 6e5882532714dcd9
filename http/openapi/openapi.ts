import { FAULTS } from '../../src/errors.ts';
import { hasRest, type RestTool, restForm } from '../../tools/contract/define.ts';
import { type JsonSchema, toJsonSchema } from '../../tools/contract/json-schema.ts';
import type { Registry } from '../../tools/contract/registry.ts';
import { JobAnswer } from '../../tools/jobs/job-output.ts';
import { statusOf } from '../rest/response.ts';
import { VALIDATION_SCHEMAS, validationResponses } from '../rest/validation-errors.ts';
import { describeRoute, SECURITY } from './described-route.ts';
import { DESCRIBED_ROUTES } from './described-routes.ts';

type ObjectSchema = {
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
};

/** What the document's own schemas are kept in. */
type Schemas = Record<string, unknown>;

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'message', 'errors', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(FAULTS) },
    detail: { type: 'string' },
    message: { type: 'string', description: 'Same text as detail' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['loc', 'msg', 'type'],
        properties: {
          loc: { type: 'array', items: { type: ['string', 'integer'] } },
          msg: { type: 'string' },
          type: { type: 'string' },
          line: { type: 'integer' },
          col: { type: 'integer' },
        },
      },
    },
    request_id: { type: 'string' },
  },
} as const;

const PREFER = {
  name: 'Prefer',
  in: 'header',
  required: false,
  schema: { type: 'string', enum: ['respond-async'] },
  description: 'respond-async runs the call as a job and returns immediately',
} as const;

const CREDENTIAL =
  'An API key (sh_live_…), a session token (ses_…) or a token of the identity provider. A person in several accounts chooses one with the Stallhand-Account header.';

/**
 * The OpenAPI 3.1 document of every tool that has a route, and of the routes that are no tools.
 *
 * In: the registry. Out: one document. Invariant: the schemas are those that calls are parsed with.
 */
export function openapi(registry: Registry, version: string) {
  const schemas: Schemas = { Problem: PROBLEM, ...VALIDATION_SCHEMAS };
  const paths: Record<string, Record<string, unknown>> = {};
  for (const tool of registry.tools.filter(hasRest).map(restForm)) {
    const [method = '', path = ''] = tool.rest.route.split(' ');
    const shown = sameShape(paths, path);
    const described = operation(tool, { path, shown }, method, schemas);
    paths[shown] = { ...paths[shown], [method.toLowerCase()]: described };
  }
  for (const described of DESCRIBED_ROUTES) {
    const [method = '', path = ''] = described.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: describeRoute(described) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stallhand',
      version,
      description:
        'Email templates with versions, branches and environments; videos from HTML templates; AI-generated hooks with quotas and plans; sync between Shopify stores and Google Sheets.',
    },
    security: SECURITY.needed,
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: CREDENTIAL } },
      schemas,
    },
  };
}

/** Paths that differ in the names of their parameters alone are one path of the document, with the names of the first. */
function sameShape(paths: Readonly<Record<string, unknown>>, path: string): string {
  const shape = (one: string) => one.replace(PARAMETER, '{}');
  return Object.keys(paths).find((one) => shape(one) === shape(path)) ?? path;
}

const PARAMETER = /\{(\w+)\}/g;
const parametersOf = (path: string) => [...path.matchAll(PARAMETER)].map(([, name = '']) => name);

type Paths = { readonly path: string; readonly shown: string };

function operation(tool: RestTool, { path, shown }: Paths, method: string, schemas: Schemas) {
  const input = place(toJsonSchema(tool.input, 'input'), `${tool.name}.input`, schemas);
  const { properties = {}, required = [] } = input as ObjectSchema;
  const inPath = parametersOf(path);
  const shownAs = parametersOf(shown);
  const others = Object.keys(properties).filter((name) => !inPath.includes(name));
  const hasBody = method !== 'GET' && method !== 'DELETE';
  const parameter = (place: 'path' | 'query') => (name: string) => {
    const { description, ...schema } = properties[name] ?? {};
    const need = place === 'path' || required.includes(name);
    return { name, in: place, required: need, schema, ...(description !== undefined && { description }) };
  };
  const body = {
    type: 'object',
    properties: pick(properties, others),
    required: required.filter((name) => others.includes(name)),
    ...(!tool.rest.ignoresUnknownFields && { additionalProperties: false }),
  };
  const done = { description: 'Success', ...headersOf(tool), content: answers(tool, schemas) };
  return {
    operationId: tool.name,
    summary: tool.title,
    description: tool.description,
    tags: [tool.toolset],
    ...(tool.anonymous && { security: SECURITY.optional }),
    parameters: [
      ...inPath.map((name, index) => ({ ...parameter('path')(name), name: shownAs[index] ?? name })),
      ...(hasBody ? [] : others.map(parameter('query'))),
      ...(tool.job ? [PREFER] : []),
    ],
    ...(hasBody &&
      others.length > 0 && {
        requestBody: { required: body.required.length > 0, content: content(tool, body, inPath) },
      }),
    responses: {
      [statusOf(tool)]: done,
      ...(tool.rest.created && { 201: { ...done, description: 'Created' } }),
      ...(tool.job && {
        202: {
          description: 'Accepted as a job because of `Prefer: respond-async`; Location is the URL of the job',
          content: { 'application/json': { schema: toJsonSchema(JobAnswer, 'output') } },
        },
      }),
      ...validationResponses(path),
      default: {
        description: 'Error',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

const OTHERS = { description: 'With this body, the other fields are query parameters' } as const;

function content(tool: RestTool, schema: JsonSchema, inPath: readonly string[]) {
  const { upload, lines } = tool.rest;
  const examples = tool.examples.map(({ title, input }) => {
    const names = Object.keys(input).filter((name) => !inPath.includes(name));
    return [title, { value: pick(input, names) }] as const;
  });
  return {
    'application/json': { schema, examples: Object.fromEntries(examples) },
    ...(upload && { [upload.mediaType]: { schema: { type: 'string', format: 'binary', ...OTHERS } } }),
    ...(lines && { 'application/x-ndjson': { schema: { type: 'string', ...OTHERS } } }),
  };
}

function answers(tool: RestTool, schemas: Schemas) {
  const { formats, list, sendsFile, events } = tool.rest;
  const others = Object.keys(formats ?? {}).map((type) => [type, { schema: { type: 'string' } }] as const);
  const schema = place(toJsonSchema(tool.output, 'output'), `${tool.name}.output`, schemas);
  return {
    'application/json': { schema: list ? itemsOf(schema) : schema },
    ...(sendsFile && { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }),
    ...((tool.job || events) && { 'text/event-stream': { schema: eventsOf(events) } }),
    ...Object.fromEntries(others),
  };
}

/** A stream is no JSON; what it carries can only be said in words. */
function eventsOf(events: RestTool['rest']['events'] = {}): JsonSchema {
  const told = Object.entries(events).map(([name, when]) => `${name}: ${when}`);
  return { type: 'string', ...(told.length > 0 && { description: told.join('\n') }) };
}

/** A page is answered as the array it holds. */
function itemsOf({ properties }: ObjectSchema): JsonSchema {
  return properties?.['items'] ?? {};
}

function headersOf({ rest: { sendsFile, formats, list } }: RestTool) {
  const named = {
    ...((sendsFile || formats) && {
      'X-Warnings': textHeader('Warning codes, when the body is not JSON'),
    }),
    ...(list && { Link: textHeader('URL of the next page as rel="next"; absent on the last page') }),
  };
  return Object.keys(named).length > 0 && { headers: named };
}

function textHeader(description: string) {
  return { description, schema: { type: 'string' } };
}

/** A schema as it stands in the document: what it defines for itself is kept among the document's own. */
function place({ $defs = {}, ...schema }: JsonSchema, owner: string, schemas: Schemas): JsonSchema {
  const placed = (part: unknown) =>
    JSON.parse(JSON.stringify(part).replaceAll('"#/$defs/', `"#/components/schemas/${owner}.`));
  for (const [name, definition] of Object.entries($defs as Schemas))
    schemas[`${owner}.${name}`] = placed(definition);
  return placed(schema);
}

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
