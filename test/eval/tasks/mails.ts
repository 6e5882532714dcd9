import type { Task } from '../task.ts';

const LINES = Array.from({ length: 1400 }, (_, at) => `<p>Line ${at} of a long letter to customers.</p>\n`);
const LONG_MAIL = `<p>{{name}}</p>${LINES.join('')}`;

/** What is asked of templates. */
export const mailTasks: readonly Task[] = [
  {
    asked: 'Write a Black Friday mail, put it into staging and then into production',
    async play({ read, call }) {
      await read('create_template', {
        name: 'black-friday',
        html: '<h1>{{offer}}</h1>',
        subject: 'Black Friday',
      });
      await call('update_template', { name: 'black-friday', html: '<h1>Now: {{offer}}</h1>' });
      await call('diff_versions', { template: 'black-friday', from: 'v1.0.0' });
      await read('promote_template', { template: 'black-friday', to: 'staging' });
      await read('promote_template', { template: 'black-friday', to: 'production' });
    },
    told: ['+<h1>Now: {{offer}}</h1>', 'v1.0.1', 'production'],
    questions: [1, 1],
    tokens: 800,
  },
  {
    asked: 'The same on a branch',
    async play({ read, call }) {
      await read('create_branch', { template: 'welcome', name: 'black-friday' });
      await read('update_template', { name: 'welcome', branch: 'black-friday', subject: 'Black Friday' });
      await call('diff_versions', { template: 'welcome', from: 'main', to: 'black-friday' });
      await read('merge_branch', { template: 'welcome', branch: 'black-friday' });
    },
    told: ['+Black Friday'],
    tokens: 450,
  },
  {
    asked: 'Undo the last change in production',
    async play({ read }) {
      await read('update_template', { name: 'password-reset', subject: 'Oops' });
      await read('promote_template', { template: 'password-reset', to: 'production', from: 'main' });
      await read('rollback_template', { template: 'password-reset', environment: 'production' });
    },
    told: ['v1.0.0'],
    questions: [2, 2],
    tokens: 700,
  },
  {
    asked: 'The welcome mail as a PDF',
    play: async ({ call }) => {
      await call('export_template', { template: 'welcome', format: 'pdf', data: { name: 'Ana' } });
    },
    told: ['welcome.pdf'],
    tokens: 150,
  },
  {
    asked: 'Translate the welcome mail, without a key of an AI provider',
    async play({ read }) {
      await read('get_template', { name: 'welcome', include: 'html' });
      await read('create_branch', { template: 'welcome', name: 'spanish' });
      await read('update_template', {
        name: 'welcome',
        branch: 'spanish',
        subject: 'Te damos la bienvenida',
      });
    },
    told: ['{{name}}', 'spanish'],
    tokens: 3_400,
  },
  {
    asked: 'Render a mail for three customers',
    play: async ({ read }) => {
      const rows = ['Ana', 'Bo', 'Cy'].map((name) => ({ id: name, data: { name } }));
      await read('render_batch', { template: 'welcome', rows });
    },
    told: ['Ana', 'Cy', 'rows_file'],
    tokens: 500,
  },
  {
    asked: 'Merge a branch that conflicts, and take ours',
    async play({ read, call }) {
      await read('create_template', { name: 'clash', html: '<p>one</p>' });
      await read('create_branch', { template: 'clash', name: 'other' });
      await read('update_template', { name: 'clash', branch: 'other', html: '<p>two</p>' });
      await read('update_template', { name: 'clash', html: '<p>three</p>' });
      await call('merge_branch', { template: 'clash', branch: 'other' });
      await read('merge_branch', { template: 'clash', branch: 'other', strategy: 'ours' });
    },
    told: ['two', 'merge_token'],
    tokens: 800,
    errors: 1,
  },
  {
    asked: 'Show the mail on a phone',
    play: async ({ call }) => {
      const input = {
        template: 'welcome',
        data: { name: 'Ana' },
        devices: ['mobile'],
        color_schemes: ['light'],
      };
      await call('preview_template', input);
    },
    told: ['mobile'],
    tokens: 150,
    pictures: 1,
  },
  {
    asked: 'Show what changed as a picture',
    async play({ read, call }) {
      await read('create_template', { name: 'seen', html: '<p>one</p>' });
      await read('update_template', { name: 'seen', html: '<p>two</p>' });
      await call('diff_versions', { template: 'seen', from: 'v1.0.0', format: 'visual' });
    },
    told: ['image/png'],
    tokens: 650,
    pictures: 1,
  },
  {
    asked: 'Read a mail of 60 kB',
    async play({ read, call }) {
      await read('create_template', { name: 'letter', html: LONG_MAIL });
      await call('get_template', { name: 'letter', include: 'html' });
    },
    told: ['Line 9 of a long letter', /cut off at|Shortened to fit/],
    tokens: 8_800,
    largest: 8_300,
  },
  {
    asked: 'Render a mail of 60 kB',
    play: async ({ call }) => {
      await call('render_template', { html: LONG_MAIL, data: { name: 'Ana' } });
    },
    told: ['Line 9 of a long letter', 'Ana'],
    tokens: 8_500,
    largest: 8_300,
  },
  {
    asked: 'Compare two mails of 60 kB line by line',
    async play({ read, call }) {
      await read('create_template', { name: 'epic', html: LONG_MAIL });
      await read('update_template', { name: 'epic', html: LONG_MAIL.replaceAll(/Line (\d+00 )/g, 'Row $1') });
      await call('diff_versions', { template: 'epic', from: 'v1.0.0', to: 'v1.0.1' });
      await call('diff_versions', { template: 'epic', from: 'v1.0.0', to: 'v1.0.1', format: 'hunks' });
    },
    told: ['Row 1200 of a long letter'],
    tokens: 5_800,
  },
  {
    asked: 'Export a mail as HTML',
    play: async ({ call }) => {
      await call('export_template', { template: 'receipt', format: 'html', fixture: 'sample' });
    },
    told: ['receipt.html'],
    tokens: 150,
  },
  {
    asked: 'Which templates are there?',
    play: async ({ call }) => {
      await call('list_templates');
    },
    told: [/welcome.*v1/, 'receipt'],
    tokens: 500,
  },
  {
    asked: 'What does the welcome mail need?',
    play: async ({ read }) => {
      await read('get_template', { name: 'welcome' });
    },
    told: ['"name"'],
    tokens: 700,
  },
  {
    asked: 'Change one word of the subject',
    play: async ({ read }) => {
      await read('update_template', { name: 'receipt', subject: 'Your order' });
    },
    told: ['v1.0.1'],
    tokens: 100,
  },
  {
    asked: 'Fill a mail that lacks a value',
    play: async ({ call }) => {
      await call('render_template', { html: '<p>{{name}}</p>', on_missing: 'error' });
    },
    told: ['name'],
    tokens: 100,
    errors: 1,
  },
  {
    asked: 'Open a template that is not there',
    play: async ({ call }) => {
      await call('get_template', { name: 'nope-nothing' });
    },
    told: ['nope-nothing'],
    tokens: 50,
    errors: 1,
  },
  {
    asked: 'Create a template with a mistake in it',
    play: async ({ call }) => {
      await call('create_template', { name: 'broken', html: '<p>{{#if a}}</p>' });
    },
    told: [/line 1/],
    tokens: 50,
    errors: 1,
  },
  {
    asked: 'Which versions has the welcome mail?',
    play: async ({ read }) => {
      await read('list_versions', { template: 'welcome' });
    },
    told: ['v1.0.0'],
    tokens: 300,
  },
  {
    asked: 'Who changed what?',
    play: async ({ read }) => {
      await read('list_audit_events', { limit: 20 });
    },
    told: ['template'],
    tokens: 2_000,
  },
  {
    asked: 'Which branches are there?',
    play: async ({ read }) => {
      await read('list_branches', { template: 'welcome' });
    },
    told: ['main'],
    tokens: 300,
  },
  {
    asked: 'Will the mail look right in Outlook?',
    play: async ({ read }) => {
      await read('lint_template', { template: 'welcome', fixture: 'sample' });
    },
    told: ['score'],
    tokens: 100,
  },
  {
    asked: 'Keep sample data and use it',
    async play({ read }) {
      await read('save_fixture', { template: 'password-reset', fixture: 'bo', data: { name: 'Bo' } });
      await read('render_template', { template: 'password-reset', fixture: 'bo' });
    },
    told: ['Bo'],
    tokens: 3_850,
  },
  {
    asked: 'What goes where? The environments',
    play: async ({ read }) => {
      await read('list_environments');
    },
    told: ['staging', 'production'],
    tokens: 100,
  },
  {
    asked: 'Bring a template of another service in, first as a trial',
    play: async ({ call }) => {
      const payload = { Name: 'Old offer', Subject: 'Hi', HtmlBody: '<p>{{name}}</p>', TemplateId: 1 };
      await call('import_templates', { source: 'postmark', payload, dry_run: true });
    },
    told: ['Old offer'],
    tokens: 100,
  },
  {
    asked: 'All templates as one file',
    play: async ({ call }) => {
      await call('export_bundle', { templates: 'welcome,footer' });
    },
    told: ['stallhand-bundle.zip'],
    tokens: 150,
  },
  {
    asked: 'A long list page by page',
    async play({ read, rest }) {
      await rest('POST', '/v1/templates', { body: { name: 'long-history', html: '<p>0</p>' } });
      for (let at = 1; at < 60; at += 1) {
        const body = { html: `<p>${at}</p>`, message: `Change ${at}. `.repeat(40) };
        await rest('PATCH', '/v1/templates/long-history', { body });
      }
      let cursor: unknown;
      do {
        const page = await read('list_versions', { template: 'long-history', ...(cursor ? { cursor } : {}) });
        cursor = page['next_cursor'];
      } while (cursor);
    },
    told: ['v1.0.59', 'v1.0.0', '"next_cursor":"'],
    tokens: 7_450,
  },
];
