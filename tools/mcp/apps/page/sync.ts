import { button, type Child, h, notice, show, wasNow } from './dom.ts';
import { type Host, type Opened, shownId } from './host.ts';
import { start } from './start.ts';
import { count, number, percent, type TextKey, t, time } from './texts.ts';

/** The plan or the log of a sync as a table. A click applies exactly the plan shown, or undoes the run shown. */

type Run = {
  readonly id: string;
  readonly status: string;
  readonly direction: 'store_to_sheet' | 'sheet_to_store' | 'two_way';
  readonly changed: number;
  readonly unchanged: number;
  readonly skipped: number;
  readonly counts: {
    readonly to_sheet?: number;
    readonly appended?: number;
    readonly to_store?: number;
    readonly conflicts?: number;
  };
  readonly safety_limits_hit: readonly {
    readonly safety_limit: string;
    readonly found: number;
    readonly limit: number;
  }[];
  readonly errors: readonly { readonly message: string; readonly row?: number; readonly sku?: string }[];
  readonly progress: { readonly done: number; readonly total: number } | null;
  readonly reverts_run: string | null;
  readonly expires_at: string | null;
};

type Change = {
  readonly key: string;
  readonly row: number | null;
  readonly field: string;
  readonly side: 'store' | 'sheet';
  readonly from: string | null;
  readonly to: string | null;
  readonly state: 'planned' | 'sent' | 'applied' | 'failed' | 'skipped' | 'conflict' | 'resolved';
  readonly message?: string;
};

type Page = { readonly items: readonly Change[]; readonly next_cursor: string | null };

const POLL_MS = 1000;
const PAGE = 200;
const WAITING = 'awaiting_confirmation';
const UNFINISHED: readonly string[] = ['queued', 'planning', 'applying'];

start(async (host: Host, opened: Opened) => {
  const id = shownId(opened, opened.input['run_id']);
  let run = await host.read<Run>('get_sync_run', { run_id: id });
  let changes: readonly Change[] = [];
  let cursor: string | null = null;
  let lost = '';

  const readChanges = async () => {
    const page = await host.read<Page>('list_sync_changes', { run_id: run.id, limit: PAGE });
    changes = page.items;
    cursor = page.next_cursor;
  };
  const readMore = async () => {
    const page = await host.read<Page>('list_sync_changes', { run_id: run.id, limit: PAGE, cursor });
    changes = [...changes, ...page.items];
    cursor = page.next_cursor;
    draw();
  };
  /** Until the run has ended, or waits for a person. */
  const follow = async () => {
    while (isGoing(run)) {
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      run = await host.read<Run>('get_sync_run', { run_id: run.id });
      draw();
    }
    await readChanges();
    draw();
  };
  const beginFollowing = () => {
    follow().catch((error: unknown) => {
      lost = error instanceof Error ? error.message : String(error);
      draw();
    });
  };
  const apply = async () => {
    run = await host.act<Run>('apply_plan', { plan_id: run.id });
    host.tell(`The person applied the sync plan ${run.id} in the app. get_sync_run tells how it ends.`);
    draw();
    beginFollowing();
  };
  const undo = async () => {
    const undone = run.id;
    run = await host.act<Run>('undo_run', { run_id: undone });
    host.tell(`The person undid the sync run ${undone} in the app, by the run ${run.id}.`);
    draw();
    beginFollowing();
  };

  function draw(): void {
    const planned = changes.filter(({ state }) => state === 'planned').length;
    const isPlan = run.status === WAITING;
    const conflicts = run.counts.conflicts ?? 0;
    show(
      h(
        'header',
        { class: 'head' },
        h('div', {}, h('h1', {}, titleOf(run)), h('p', { class: 'small' }, t(run.direction))),
        h('p', { class: 'small' }, lineOf(run)),
      ),
      figuresOf(run, changes, cursor !== null),
      isPlan &&
        run.safety_limits_hit.length > 0 &&
        notice('warn', t('unusual'), h('ul', {}, run.safety_limits_hit.map(limitOf)), t('unusual_more')),
      isPlan && conflicts > 0 && notice('warn', count('conflicts_left', conflicts)),
      run.errors.length > 0 &&
        notice(
          'bad',
          count('rows_refused', run.errors.length),
          h('ul', {}, run.errors.slice(0, 20).map(errorOf)),
        ),
      lost !== '' && notice('warn', t('not_followed'), lost),
      changes.length > 0 && tableOf(changes),
      h(
        'div',
        { class: 'bar' },
        isPlan &&
          planned > 0 &&
          button(cursor === null ? count('write', planned) : t('write_all'), apply, { kind: 'next' }),
        canUndo(run) && button(t('undo'), undo),
        cursor !== null && button(t('show_more'), readMore, { kind: 'quiet' }),
        isPlan && planned === 0 && changes.length === 0 && h('p', {}, t('nothing_to_write')),
      ),
    );
  }
  if (isGoing(run)) beginFollowing();
  else await readChanges();
  return draw;
});

const isGoing = ({ status }: Run) => UNFINISHED.includes(status);

const canUndo = (run: Run) =>
  !isGoing(run) && run.status !== WAITING && run.changed > 0 && run.reverts_run === null;

function titleOf({ status, reverts_run: reverts }: Run): string {
  if (status === WAITING) return t('plan');
  return reverts === null ? t('run') : t('undone_run');
}

function lineOf(run: Run): string {
  if (run.status === WAITING && run.expires_at !== null)
    return t('holds_until', { time: time(run.expires_at) });
  const { progress } = run;
  const part =
    isGoing(run) && progress && progress.total > 0
      ? ` ${percent((100 * progress.done) / progress.total)}`
      : '';
  return `${t(`status_${run.status}` as TextKey)}${part}`;
}

function figuresOf(run: Run, changes: readonly Change[], isPart: boolean): HTMLElement {
  const planned = changes.filter(({ state }) => state === 'planned').length;
  const figures: readonly (readonly [TextKey, number])[] =
    run.status === WAITING
      ? [
          ['values_change', planned],
          ['conflicts', run.counts.conflicts ?? 0],
          ['rows_agree', run.unchanged],
        ]
      : [
          ['rows_changed', run.changed],
          ['rows_skipped', run.skipped],
          ['rows_agree', run.unchanged],
        ];
  const more = (key: TextKey) => (isPart && key === 'values_change' ? '+' : '');
  return h(
    'dl',
    { class: 'figures' },
    figures.map(([key, figure]) =>
      h('div', {}, h('dt', {}, count(key, figure)), h('dd', {}, `${number(figure)}${more(key)}`)),
    ),
  );
}

function tableOf(changes: readonly Change[]): HTMLElement {
  const head = [t('row'), t('product'), t('field'), t('change'), t('note')].map((text, at) =>
    h('th', { scope: 'col', class: at === 0 ? 'margin' : '' }, text),
  );
  return h(
    'div',
    { class: 'scroller', tabindex: 0, role: 'region', 'aria-label': t('changes') },
    h('table', { class: 'changes' }, h('thead', {}, h('tr', {}, head)), h('tbody', {}, changes.map(rowOf))),
  );
}

function rowOf({ row, key, field, side, from, to, state, message }: Change): HTMLElement {
  const note: Child = message ?? (state === 'planned' ? '' : t(`state_${state}` as TextKey));
  return h(
    'tr',
    { class: state },
    h('td', { class: 'margin' }, row ?? ''),
    h('td', { class: 'mono' }, key),
    h('td', { class: 'small' }, `${field}, ${t(side)}`),
    h('td', { class: 'to' }, wasNow(from, to)),
    h('td', { class: 'state' }, note),
  );
}

function limitOf({ safety_limit: name, found, limit }: Run['safety_limits_hit'][number]): HTMLElement {
  return h('li', {}, t(name as TextKey, { found: percent(found), limit: percent(limit) }));
}

function errorOf({ message, row, sku }: Run['errors'][number]): HTMLElement {
  const place = [...(row === undefined ? [] : [t('row_n', { row })]), ...(sku === undefined ? [] : [sku])];
  return h('li', {}, place.length > 0 && h('span', { class: 'mono' }, `${place.join(', ')}: `), message);
}
