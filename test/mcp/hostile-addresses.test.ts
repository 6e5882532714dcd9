import { expect, test, vi } from 'vitest';
import { kindOf, RESOURCE_KINDS } from '../../tools/mcp/resources/kinds.ts';
import { readResource } from '../../tools/mcp/resources/read-resource.ts';
import { ListenRequest } from '../../tools/mcp/subscriptions/listen.ts';
import type { Reading } from '../../tools/mcp/visit-call.ts';

const variablesOf = (uri: string) => kindOf(uri)?.variables;

test('an address of 2,000 characters is looked at, a longer one is none', () => {
  const own = (chars: number) => `job://${'j'.repeat(chars - 'job://'.length)}`;
  expect(variablesOf(own(2_000))).toEqual({ job_id: 'j'.repeat(1_994) });
  expect(kindOf(own(2_001))).toBeUndefined();
});

test('a longer address is not read, whatever it is of', async () => {
  // It is refused before anything of the request is used.
  const nothing = {} as Reading;
  expect(await readResource(`https://example.com/${'a'.repeat(2_000)}`, nothing)).toBeUndefined();
});

test('the patterns are made once, not for each address', () => {
  const made = vi.spyOn(RegExp, 'escape');
  for (const { uriTemplate } of RESOURCE_KINDS) kindOf(uriTemplate);
  expect(made).toHaveBeenCalledTimes(0);
  made.mockRestore();
});

test('a place ends where the text after it first stands', () => {
  expect(variablesOf('template://a@b@c')).toEqual({ template: 'a', ref: 'b@c' });
  expect(variablesOf('diff://a/v1.0.0..v1.1.0')).toEqual({ template: 'a', from: 'v1.0.0', to: 'v1.1.0' });
  expect(variablesOf('diff://a/b..c..d')).toEqual({ template: 'a', from: 'b', to: 'c..d' });
  expect(variablesOf('diff://a/..d')).toBeUndefined();
  expect(variablesOf('template://@main')).toBeUndefined();
  expect(variablesOf('run://r/changes')).toEqual({ run_id: 'r' });
  expect(variablesOf('template://a@main/rendered?fixture=x')).toEqual({
    template: 'a',
    ref: 'main',
    fixture: 'x',
  });
});

test('of ten thousand addresses to listen to, the first hundred are kept', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => `job://job_${at}`);
  const request = ListenRequest.parse({
    jsonrpc: '2.0',
    id: 1,
    method: 'subscriptions/listen',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientCapabilities': {},
      },
      notifications: { resourceSubscriptions: all, taskIds: all },
    },
  });
  expect(request.params.notifications).toEqual({
    resourceSubscriptions: all.slice(0, 100),
    taskIds: all.slice(0, 100),
  });
});
