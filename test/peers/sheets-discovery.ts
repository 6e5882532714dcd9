import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly $ref?: string;
  readonly enum?: readonly string[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly location?: string;
  readonly repeated?: boolean;
  readonly required?: boolean;
};
type Method = {
  readonly id: string;
  readonly httpMethod: string;
  readonly flatPath: string;
  readonly parameters: Readonly<Record<string, Schema>>;
  readonly request?: Schema;
  readonly response: Schema;
};
type Resource = {
  readonly methods?: Readonly<Record<string, Method>>;
  readonly resources?: Readonly<Record<string, Resource>>;
};
type Discovery = Resource & {
  readonly schemas: Readonly<Record<string, Schema>>;
  readonly parameters: Readonly<Record<string, Schema>>;
};

const FILE = new URL('../../../shared/contracts/google-sheets__v4.discovery.json.gz', import.meta.url);

/** True where the published document is; without it calls go unchecked, and a line on standard error says so. */
export const discoveryIsPresent = existsSync(FILE);

export type SheetsCheck = ReturnType<typeof sheetsCheck>;

let known: SheetsCheck | undefined;

/** What is wrong with a call, or with its answer, by Google's published description of its API: one sentence each. */
export function sheetsDiscovery(): SheetsCheck {
  if (!discoveryIsPresent) {
    process.stderr.write(
      `NOT CHECKED: ${FILE.pathname} is absent, calls of Google Sheets were not validated\n`,
    );
    return { call: () => ({ id: undefined, faults: [] }), answer: () => [] };
  }
  // Parsed JSON; what is missing in it would show as a fault of every call.
  known ??= sheetsCheck(JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as Discovery);
  return known;
}

function sheetsCheck(document: Discovery) {
  const methods = methodsOf(document).map((method) => ({ method, path: pathForm(method.flatPath) }));

  return {
    call(httpMethod: string, url: URL, body: string): { id: string | undefined; faults: string[] } {
      const found = methods.find(
        ({ method, path }) => method.httpMethod === httpMethod && path.test(url.pathname),
      );
      if (!found) return { id: undefined, faults: [`${httpMethod} ${url.pathname} is not described`] };
      const { method } = found;
      const faults = [...queryFaults(method, url.searchParams), ...bodyFaults(method, body)];
      return { id: method.id, faults: faults.map((fault) => `${method.id}: ${fault}`) };
    },
    answer(id: string, body: unknown): string[] {
      const method = methods.find((one) => one.method.id === id)?.method;
      return method ? faultsOf(body, method.response, 'answer').map((fault) => `${id}: ${fault}`) : [];
    },
  };

  function queryFaults({ parameters, response }: Method, query: URLSearchParams): string[] {
    const missing = Object.entries(parameters).filter(
      ([name, { required, location }]) => required && location === 'query' && !query.has(name),
    );
    if (missing.length > 0) return missing.map(([name]) => `parameter ${name} is missing`);
    return [...new Set(query.keys())].flatMap((name) => {
      const described = parameters[name] ?? document.parameters[name];
      const values = query.getAll(name);
      if (described?.location !== 'query') return [`parameter ${name} is not described`];
      if (values.length > 1 && !described.repeated) return [`parameter ${name} is given more than once`];
      if (name === 'fields') return maskFaults(query.get(name) ?? '', response);
      return values.flatMap((value) => faultsOf(fromText(value, described), described, `parameter ${name}`));
    });
  }

  function bodyFaults({ request }: Method, body: string): string[] {
    if (!request) return body === '' ? [] : ['a body is sent and none is described'];
    return faultsOf(JSON.parse(body), request, 'body');
  }

  function maskFaults(mask: string, schema: Schema): string[] {
    return pathsOf(mask).flatMap((path) => {
      let at: Schema | undefined = schema;
      for (const name of path) at = resolved(itemOf(resolved(at)))?.properties?.[name];
      return at ? [] : [`fields names ${path.join('.')}, which the answer does not have`];
    });
  }

  function itemOf(schema: Schema | undefined): Schema | undefined {
    return schema?.type === 'array' ? schema.items : schema;
  }

  function resolved(schema: Schema | undefined): Schema | undefined {
    return schema?.$ref ? document.schemas[schema.$ref] : schema;
  }

  function faultsOf(value: unknown, given: Schema, path: string): string[] {
    const schema = resolved(given);
    if (!schema) return [`${path}: no such schema`];
    switch (schema.type) {
      case 'any':
        return [];
      case 'array':
        if (!Array.isArray(value)) return [`${path} is not an array`];
        if (schema.items?.type === 'any') return [];
        return value.flatMap((item, index) =>
          faultsOf(item, schema.items ?? { type: 'any' }, `${path}[${index}]`),
        );
      case 'object':
        return objectFaults(value, schema, path);
      default:
        return isOf(value, schema)
          ? []
          : [`${path} is ${JSON.stringify(value)}, not ${schema.enum ?? schema.type}`];
    }
  }

  function objectFaults(value: unknown, schema: Schema, path: string): string[] {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return [`${path} is not an object`];
    return Object.entries(value).flatMap(([name, item]) => {
      const below = schema.properties?.[name] ?? schema.additionalProperties;
      return below ? faultsOf(item, below, `${path}.${name}`) : [`${path}.${name} is not described`];
    });
  }
}

function methodsOf({ methods = {}, resources = {} }: Resource): Method[] {
  return [...Object.values(methods), ...Object.values(resources).flatMap(methodsOf)];
}

function pathForm(path: string): RegExp {
  // A range may have a colon in it.
  const form = path.replace('{range}', '[^/]+?').replaceAll(/\{\w+\}/g, '[^/:]+');
  return new RegExp(`^/${form}$`);
}

function fromText(text: string, { type }: Schema): unknown {
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return type === 'integer' || type === 'number' ? Number(text) : text;
}

function isOf(value: unknown, { type, format, enum: names }: Schema): boolean {
  if (names) return typeof value === 'string' && names.includes(value);
  if (type === 'integer') {
    return Number.isInteger(value) && (format !== 'int32' || Math.abs(Number(value)) < 2 ** 31);
  }
  return typeof value === type;
}

/** Every leaf of a mask such as `a(b,c.d),e`. */
function pathsOf(mask: string): string[][] {
  const paths: string[][] = [];
  const open: string[][] = [[]];
  let name: string[] = [];
  const end = () => {
    if (name.length > 0) paths.push([...(open.at(-1) ?? []), ...name]);
    name = [];
  };
  for (const token of mask.match(/\w+|[(),]/g) ?? []) {
    if (token === ',') end();
    else if (token === '(') {
      open.push([...(open.at(-1) ?? []), ...name]);
      name = [];
    } else if (token === ')') {
      end();
      open.pop();
    } else name.push(token);
  }
  end();
  return paths;
}
