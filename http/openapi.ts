import { FAULTS } from '../src/errors.ts';
import type { Tool } from '../tools/define.ts';
import { type JsonSchema, toJsonSchema } from '../tools/json-schema.ts';
import type { Registry } from '../tools/registry.ts';

type ObjectSchema = {
  readonly properties?: Record<string, JsonSchema>;
  readonly required?: readonly string[];
};

const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'detail', 'message', 'errors', 'request_id'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { type: 'string', enum: Object.keys(FAULTS) },
    detail: { type: 'string' },
    message: { type: 'string', description: 'The same text as detail' },
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

/** The OpenAPI 3.1 document of every tool that has a route. */
export function openapi(registry: Registry, version: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const tool of registry.tools) {
    if (!tool.route) continue;
    const [method = '', path = ''] = tool.route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation(tool, path, method) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Stallhand',
      version,
      description: 'Email templates with versions, branches and environments.',
    },
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: sh_live_…' } },
      schemas: { Problem: PROBLEM },
    },
  };
}

function operation(tool: Tool, path: string, method: string) {
  const { properties = {}, required = [] } = toJsonSchema(tool.input, 'input') as ObjectSchema;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
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
    additionalProperties: false,
  };
  return {
    operationId: tool.name,
    summary: tool.title,
    description: tool.description,
    tags: [tool.toolset],
    parameters: [...inPath.map(parameter('path')), ...(hasBody ? [] : others.map(parameter('query')))],
    ...(hasBody &&
      others.length > 0 && {
        requestBody: { required: body.required.length > 0, content: content(tool, body, inPath) },
      }),
    responses: {
      [tool.status ?? (tool.effect === 'create' ? 201 : 200)]: {
        description: 'Done',
        content: answers(tool),
      },
      default: {
        description: 'Not done',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function content(tool: Tool, schema: JsonSchema, inPath: readonly string[]) {
  const examples = tool.examples.map(({ title, input }) => {
    const names = Object.keys(input).filter((name) => !inPath.includes(name));
    return [title, { value: pick(input, names) }] as const;
  });
  return {
    'application/json': { schema, examples: Object.fromEntries(examples) },
    ...(tool.lines && { 'application/x-ndjson': { schema: { type: 'string' } } }),
  };
}

function answers(tool: Tool) {
  const others = Object.keys(tool.formats ?? {}).map(
    (type) => [type, { schema: { type: 'string' } }] as const,
  );
  return {
    'application/json': { schema: toJsonSchema(tool.output, 'output') },
    ...Object.fromEntries(others),
  };
}

function pick<Value>(
  record: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => names.includes(name)));
}
