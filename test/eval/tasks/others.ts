import type { Task } from '../task.ts';
import type { Play } from '../world.ts';

const SIX_SECONDS = {
  title: 'Mug',
  duration: 6,
  aspect: '1:1',
  template: 'product',
  data: { name: 'Mug' },
};

const MAPPINGS = [
  { sheet_column: 'SKU', store_field: 'sku' },
  { sheet_column: 'Stock', store_field: 'inventory_quantity' },
  { sheet_column: 'Title', store_field: 'title' },
];

/** The configuration that syncs the sheet to the shop. */
async function configOf({ read, pair }: Play): Promise<string> {
  const { items } = await read('list_sync_configs');
  const [first] = Array.isArray(items) ? (items as { id: string }[]) : [];
  if (first) return first.id;
  const request = { ...pair.ids, direction: 'sheet_to_store', mappings: MAPPINGS };
  return String((await read('create_sync_config', request))['id']);
}

/** What is asked of videos, hooks, sync and the account. */
export const otherTasks: readonly Task[] = [
  {
    asked: 'A product video of 6 seconds, square',
    async play({ read }) {
      const { id } = await read('create_video', SIX_SECONDS);
      await read('get_video', { video_id: id });
      await read('cancel_video', { video_id: id });
    },
    told: ['Mug', 'vid_'],
    tokens: 700,
  },
  {
    asked: 'Which video templates are there?',
    play: async ({ call }) => {
      await call('list_video_templates');
    },
    told: ['product', 'brand'],
    tokens: 3_200,
  },
  {
    asked: 'Show me how a video template is made',
    play: async ({ call }) => {
      await call('get_video_template', { name: 'product' });
    },
    told: ['stage'],
    tokens: 9_800,
    largest: 8_300,
  },
  {
    asked: 'Which videos have I made?',
    play: async ({ read }) => {
      await read('list_videos');
    },
    told: ['items'],
    tokens: 300,
  },
  {
    asked: 'A video from a template that is not there',
    play: async ({ call }) => {
      await call('create_video', { title: 'x', duration: 1, template: 'produkt' });
    },
    told: ['product'],
    tokens: 50,
    errors: 1,
  },
  {
    asked: 'Hooks for TikTok, without a key of an AI provider',
    async play({ call, read }) {
      await call('generate_hooks', { topic: 'sourdough bread', count: 8 });
      await call('generate_hooks', { topic: 'sourdough bread', count: 5 });
      await read('generate_hooks', {
        topic: 'sourdough bread',
        count: 5,
        provider: 'builtin',
        platform: 'tiktok',
      });
    },
    told: ['sourdough', 'score'],
    tokens: 900,
    errors: 2,
  },
  {
    asked: 'Keep two hooks that I wrote',
    async play({ read }) {
      const hooks = ['Your bread is not flat. Your fridge is cold.', 'Stop kneading your bread.'].map(
        (text) => ({
          text,
          style: 'contrarian',
        }),
      );
      await read('submit_hooks', { topic: 'bread', hooks });
      await read('list_history');
    },
    told: ['Your fridge is cold', 'gen_'],
    tokens: 650,
  },
  {
    asked: 'How good are these hooks?',
    play: async ({ read }) => {
      await read('score_hooks', { texts: ['Stop kneading your bread.'] });
    },
    told: ['score'],
    tokens: 400,
  },
  {
    asked: 'How many hooks are left this month?',
    play: async ({ read }) => {
      await read('get_usage');
    },
    told: ['resets_at'],
    tokens: 150,
  },
  {
    asked: 'My hooks as a file',
    play: async ({ call }) => {
      await call('submit_hooks', {
        topic: 'tea',
        hooks: [{ text: 'Your tea is too hot.', style: 'contrarian' }],
      });
      const { answer } = await call('list_history', { limit: 1 });
      const [id] = /gen_\w+/.exec(JSON.stringify([answer.content, answer.structuredContent])) ?? [];
      await call('download_generation', { id });
    },
    told: ['.txt'],
    tokens: 500,
  },
  {
    asked: 'Show, run and undo a sync',
    async play(play) {
      const config_id = await configOf(play);
      const { plan_id } = await play.read('preview_sync', { config_id });
      const { run_id } = await play.read('run_sync', { confirm: plan_id });
      await play.read('list_sync_changes', { id: run_id });
      await play.read('revert_sync_run', { id: run_id, wait_seconds: 20 });
    },
    told: ['plan_id', 'SYSTEM'],
    // A plan that the model names has been shown already.
    questions: [2, 1],
    tokens: 1_350,
  },
  {
    asked: 'Sync every 15 minutes',
    async play(play) {
      const config_id = await configOf(play);
      await play.read('update_sync_config', { id: config_id, schedule: { every_minutes: 15 } });
    },
    told: ['15'],
    questions: [1, 1],
    tokens: 750,
  },
  {
    asked: 'Which shops and sheets are connected?',
    async play({ read }) {
      await read('list_stores');
      await read('list_sheets');
    },
    told: ['myshopify.com', 'Stock list'],
    tokens: 350,
  },
  {
    asked: 'What did the last syncs do?',
    play: async ({ read }) => {
      await read('list_sync_runs');
    },
    told: ['items'],
    tokens: 750,
  },
  {
    asked: 'What does sync know of a product? Which conflicts are open?',
    async play({ read }) {
      await read('list_sync_fields');
      await read('list_conflicts');
    },
    told: ['inventory_quantity'],
    tokens: 700,
  },
  {
    asked: 'Find the tool that saves sample data',
    play: async ({ call }) => {
      await call('search_tools', { query: 'save a fixture' });
    },
    told: ['save_fixture'],
    tokens: 200,
  },
  {
    asked: 'What runs in the background?',
    play: async ({ read }) => {
      await read('list_jobs');
    },
    told: ['items'],
    tokens: 50,
  },
];
