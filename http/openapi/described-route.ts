import type { z } from 'zod';
import { type JsonSchema, toJsonSchema } from '../../tools/contract/json-schema.ts';
import { validationResponses } from '../rest/validation-errors.ts';

/** A route that is no tool, as the OpenAPI document tells of it; the file that serves it says so itself. */
export type DescribedRoute = {
  /** `{name}` for what the path leaves open: `GET /v1/files/{id}`. */
  readonly route: `${'GET' | 'POST' | 'PUT' | 'DELETE'} /${string}`;
  readonly id: string;
  readonly title: string;
  readonly description: string;
  readonly tag: string;
  readonly credential: 'needed' | 'optional' | 'none';
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: z.ZodType;
  readonly answers: Readonly<Record<number, RouteAnswer>>;
};

/** JSON where there is a schema, else text or bytes of the media type, else nothing. */
type RouteAnswer = {
  readonly about: string;
  readonly schema?: z.ZodType;
  readonly mediaType?: string;
};

export const SECURITY = {
  needed: [{ apiKey: [] }],
  optional: [{ apiKey: [] }, {}],
  none: [],
} as const;

/** The route as an operation of the document. */
export function describeRoute({ route, ...said }: DescribedRoute) {
  const inPath = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, undefined] as const);
  return {
    operationId: said.id,
    summary: said.title,
    description: said.description,
    tags: [said.tag],
    security: SECURITY[said.credential],
    parameters: [
      ...inPath.map(parameterIn('path')),
      ...Object.entries(said.query ?? {}).map(parameterIn('query')),
      ...Object.entries(said.headers ?? {}).map(parameterIn('header')),
    ],
    ...(said.body && {
      requestBody: { required: true, content: json(toJsonSchema(said.body, 'input')) },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(said.answers).map(([status, answer]) => [status, answerOf(answer)]),
      ),
      ...validationResponses(pathOf(route)),
      default: {
        description: 'Error',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  };
}

function pathOf(route: string): string {
  return route.slice(route.indexOf('/'));
}

function parameterIn(place: 'path' | 'query' | 'header') {
  return ([name, description]: readonly [string, string | undefined]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: { type: 'string' },
    ...(description !== undefined && { description }),
  });
}

function answerOf({ about, schema, mediaType }: RouteAnswer) {
  if (schema) return { description: about, content: json(toJsonSchema(schema, 'output')) };
  if (!mediaType) return { description: about };
  return { description: about, content: { [mediaType]: { schema: { type: 'string' } } } };
}

function json(schema: JsonSchema) {
  return { 'application/json': { schema } };
}
