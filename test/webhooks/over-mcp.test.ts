import { expect, test } from 'vitest';
import { z } from 'zod';
import { restForm } from '../../tools/contract/define.ts';
import { productRegistry } from '../../tools/index.ts';

const tools = productRegistry().tools.filter(({ toolset }) => toolset === 'webhooks');

test('what shows a secret or starts sending is not available over MCP', () => {
  expect(tools.filter(({ mcp }) => mcp === false).map(({ name }) => name)).toEqual([
    'create_webhook',
    'rotate_webhook_secret',
  ]);
  for (const { name, output, mcp } of tools)
    expect([name, mcp === false]).toEqual([name, output instanceof z.ZodObject && 'secret' in output.shape]);
});

test('a model cannot change where events go', () => {
  const update = tools.find(({ name }) => name === 'update_webhook');
  expect(update?.input.safeParse({ webhook_id: 'whk_1', url: 'https://evil.example.com/' }).success).toBe(
    false,
  );
  const rest = update?.rest && restForm({ ...update, rest: update.rest });
  expect(rest?.input.safeParse({ webhook_id: 'whk_1', url: 'https://shop.example.com/' }).success).toBe(true);
});
