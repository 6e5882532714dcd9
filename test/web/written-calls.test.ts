import { expect, test } from 'vitest';
import { generateHooks, getTemplate } from '../../web/src/api/operations.gen.ts';
import { writtenCalls } from '../../web/src/ui/as-code/written-calls.ts';

const place = { origin: 'https://shop.example', hasKeys: true };

test('T9: the key of a provider that was typed is in none of the calls', () => {
  const input = { topic: "Ana's bread", count: 3, api_key: 'sk-typed-secret' };
  const calls = writtenCalls({ operation: generateHooks, tool: 'generate_hooks', input }, place);
  expect(JSON.stringify(calls)).not.toContain('sk-typed-secret');
  expect(calls.curl).toBe(
    [
      "curl -X POST 'https://shop.example/api/v1/generate' \\",
      '  -H "Authorization: Bearer $STALLHAND_API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      "  -d '{",
      `  "topic": "Ana'\\''s bread",`,
      '  "count": 3,',
      '  "api_key": "YOUR_PROVIDER_KEY"',
      "}'",
    ].join('\n'),
  );
});

test('T9: what only reads has its values in the address, and an open server asks for no key', () => {
  const input = { template: 'spring sale', include: 'html' };
  const calls = writtenCalls(
    { operation: getTemplate, tool: 'get_template', input },
    { ...place, hasKeys: false },
  );
  expect(calls).toEqual({
    curl: "curl -X GET 'https://shop.example/v1/templates/spring%20sale?include=html'",
    typescript: [
      'const response = await fetch("https://shop.example/v1/templates/spring%20sale?include=html", {',
      "  method: 'GET',",
      '});',
      'if (!response.ok) throw new Error(await response.text());',
      'console.log(await response.json());',
    ].join('\n'),
    mcp: JSON.stringify(
      { method: 'tools/call', params: { name: 'get_template', arguments: input } },
      null,
      2,
    ),
  });
});
