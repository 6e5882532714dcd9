import type { Input, Operation } from './operation.ts';

type Fields = Readonly<Record<string, unknown>>;

/** `GET /v1/templates/{template}` with its input → where it goes, and what is sent there. */
export function requestOf<Op extends Operation>(operation: Op, input: Input<Op>) {
  const [method = '', route = ''] = operation.split(' ');
  const fields: Record<string, unknown> = { ...(input as Fields) };
  const path = route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(fields[name]);
    delete fields[name];
    return encodeURIComponent(value);
  });
  const inQuery = method === 'GET' || method === 'DELETE';
  return inQuery
    ? { method, url: `${path}${queryOf(fields)}`, body: undefined }
    : { method, url: path, body: fields };
}

function queryOf(fields: Fields): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0
    ? ''
    : `?${new URLSearchParams(Object.fromEntries(given.map(([name, value]) => [name, String(value)])))}`;
}
