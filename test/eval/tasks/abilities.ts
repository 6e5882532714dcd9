import type { Task } from '../task.ts';

const LONG = `<p>Deer Ana,</p>\n${'<p>A line of a long letter.</p>\n'.repeat(2_000)}`;

/** What assistants are asked most: copies, small edits of long emails, searches by what a template uses, the demo. */
export const abilityTasks: readonly Task[] = [
  {
    asked: 'A Black Friday mail from our welcome one, with its schema',
    async play({ read }) {
      await read('create_template', {
        name: 'black-friday-copy',
        from: 'welcome@production',
        subject: 'Black Friday',
      });
      await read('get_template', { name: 'black-friday-copy' });
    },
    told: ['black-friday-copy', 'offer_code'],
    tokens: 1_400,
  },
  {
    asked: 'Connect the demo store and sheet',
    async play({ read }) {
      await read('connect_demo');
    },
    told: ['demo.myshopify.com'],
    tokens: 300,
  },
  {
    asked: 'Which templates use offer_code?',
    async play({ read }) {
      await read('list_templates', { variable: 'offer_code' });
    },
    told: ['welcome'],
    tokens: 150,
  },
  {
    asked: 'Change one word in a mail of 60 kB',
    async play({ read }) {
      await read('create_template', { name: 'long-letter', html: LONG });
      await read('get_template', { name: 'long-letter', find: 'Deer' });
      await read('update_template', { name: 'long-letter', edits: [{ old: 'Deer Ana', new: 'Dear Ana' }] });
    },
    told: ['Deer', 'v1.0.1'],
    tokens: 600,
  },
];
