import { afterAll, beforeAll, expect, test } from 'vitest';
import { newBareCaller, openTestApp, type TestApp, useTools } from '../support/app.ts';

// A brand whose texts try to be more than texts, in every place where an email prints them.

let app: TestApp;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

test('markup in texts of the brand is printed as text, and breaks no line of a subject', async () => {
  const call = useTools(app, await newBareCaller(app));
  await call('save_brand', {
    name: '"><script>alert(1)</script>',
    address: "'onmouseover='alert(1)",
    footer: '</style><script>x</script>\nBcc: all@example.com',
  });
  const html =
    '<p title="{{@brand.name}}" style="color:{{@brand.address}}">{{@brand.name}}{{@brand.footer}}</p>';
  const rendered = await call('render_template', { html, subject: '{{@brand.footer}}', data: {} });
  expect(rendered['html']).not.toMatch(/<script|<\/style|title=""|'onmouseover/);
  expect(rendered['subject']).toBe('</style><script>x</script> Bcc: all@example.com');
});

test('what stands in the database by another way loads nothing and runs nothing', async () => {
  const caller = await newBareCaller(app);
  const call = useTools(app, caller);
  await call('save_brand', { name: 'Before' });
  const { sql } = app.database;
  const fields = {
    name: 'x',
    links: { website: 'javascript:alert(1)' },
    logos: { light: 'javascript:alert(1)' },
  };
  await sql`update brands set fields = ${sql.json(fields)} where account_id = ${caller.accountId}`;
  await call('create_template', {
    name: 'mail',
    html: '<a href="{{@brand.links.website}}"><img src="{{@brand.logos.light}}" alt=""></a>',
  });
  const { html, warnings } = await call('render_template', { template: 'mail', data: {} });
  expect(html).toBe('<a href="#"><img src="#" alt=""></a>');
  expect(warnings).toMatchObject([{ code: 'blocked_url' }, { code: 'blocked_url' }]);
});

test('a brand cannot be printed where escaping does not make it harmless', async () => {
  const call = useTools(app, await newBareCaller(app));
  for (const html of [
    '<script>{{@brand.name}}</script>',
    '<style>a{color:{{@brand.colors.primary}} }</style>',
    '<p onclick="{{@brand.name}}">x</p>',
    '<p>{{{@brand.footer}}}</p>',
  ])
    await expect(call('render_template', { html, data: {} })).rejects.toMatchObject({
      code: 'unsafe_context',
    });
});
