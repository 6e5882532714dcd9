import { button, type Child, h, notice, show, wasNow } from './dom.ts';
import type { Host, Opened } from './host.ts';
import { type Hunk, linesOf } from './side-by-side.ts';
import { start } from './start.ts';
import { count, type TextKey, t } from './texts.ts';

/** Two versions side by side, and a button that promotes exactly the one shown. */

type Diff = {
  readonly from: string;
  readonly to: string;
  readonly stats: { readonly added: number; readonly removed: number };
  readonly fields: readonly string[];
  readonly breaking: boolean;
  readonly hunks?: readonly { readonly field: string; readonly hunks: readonly Hunk[] }[];
  readonly schema_changes?: readonly {
    readonly variable: string;
    readonly change: string;
    readonly breaking: boolean;
  }[];
};

type Environment = 'staging' | 'production';
const ENVIRONMENTS: readonly Environment[] = ['staging', 'production'];
type Pointers = { readonly [Name in Environment]?: string };

type Promoted = {
  readonly version: string;
  readonly status: string;
  readonly approvals: number;
  readonly approvals_required: number;
};

/** Below this many pixels there is room for one column only. */
const TWO_COLUMNS = 720;

start(async (host: Host, { input }: Opened) => {
  const { template, from, to } = input as { template: string; from?: string; to?: string };
  const sides = { template, ...(from !== undefined && { from }), ...(to !== undefined && { to }) };
  const diff = await host.read<Diff>('diff_versions', { ...sides, format: 'hunks' });
  const { schema_changes: changes = [] } = await host.read<Diff>('diff_versions', {
    template,
    // The versions that were read, whatever their branch or environment is on by now.
    from: diff.from,
    to: diff.to,
    format: 'schema',
  });
  // A version of another template is none that an environment of this one can be on.
  const isOwn = !diff.to.includes('@') && !diff.from.includes('@');
  let pointers: Pointers = isOwn
    ? (await host.read<{ environments: Pointers }>('get_template', { template, version: diff.to }))
        .environments
    : {};
  let chosen = startingPoint(from ?? 'production', pointers, diff.to);
  let done: Child = false;
  let isWide = window.innerWidth >= TWO_COLUMNS;

  const promote = async (environment: Environment) => {
    const replaces = pointers[environment] ?? null;
    const answer = await host.act<Promoted>('promote_confirmed', {
      template,
      to: environment,
      version: diff.to,
      replaces,
    });
    const values = { template, version: diff.to, environment };
    if (answer.status === 'awaiting_approval') {
      done = notice(
        'warn',
        t('awaiting_approval', values),
        t('approvals', { given: answer.approvals, required: answer.approvals_required }),
      );
    } else {
      pointers = { ...pointers, [environment]: diff.to };
      done = notice('ok', t('promoted', values), ...(replaces === null ? [] : [wasNow(replaces, diff.to)]));
      host.tell(
        `The person promoted ${template} ${diff.to} to ${environment} in the app${replaces === null ? '' : ` (it was on ${replaces})`}.`,
      );
    }
    draw();
  };

  function promotion(): Child {
    const open = ENVIRONMENTS.filter((name) => pointers[name] !== diff.to);
    if (!isOwn || open.length === 0) return false;
    if (!open.includes(chosen)) chosen = open[0] ?? 'production';
    const select = h(
      'select',
      {
        change: () => {
          chosen = select.value as Environment;
          draw();
        },
      },
      open.map((name) => h('option', { value: name, selected: name === chosen }, t(name))),
    );
    const values = { version: diff.to, environment: t(chosen) };
    return h(
      'section',
      { class: 'promote', 'aria-label': t('promote') },
      h(
        'p',
        {},
        chosen === 'production' ? t('customers_see') : t('staging_shows'),
        ' ',
        wasNow(pointers[chosen], diff.to),
      ),
      h('label', {}, t('environment'), select),
      button(t('promote_to', values), () => promote(chosen), { kind: 'next' }),
    );
  }

  function draw(): void {
    const equal = diff.fields.length === 0;
    show(
      h(
        'header',
        { class: 'head' },
        h('div', {}, h('h1', {}, template), h('p', { class: 'mono' }, wasNow(diff.from, diff.to))),
        !equal &&
          h(
            'p',
            { class: 'small' },
            `${count('lines_added', diff.stats.added)}, ${count('lines_removed', diff.stats.removed)}`,
          ),
      ),
      done,
      callersOf(diff, changes),
      equal && notice('ok', t('no_differences', { from: diff.from, to: diff.to })),
      ...(diff.hunks ?? []).map(({ field, hunks }) =>
        h(
          'section',
          { class: 'field' },
          h('h2', {}, field),
          linesOf(hunks, { isWide, from: diff.from, to: diff.to }),
        ),
      ),
      promotion(),
    );
  }
  window.addEventListener('resize', () => {
    if (window.innerWidth >= TWO_COLUMNS === isWide) return;
    isWide = !isWide;
    draw();
  });
  return draw;
});

/** The environment that the diff is about: the one it compares with, else the next one that is on another version. */
function startingPoint(from: string, pointers: Pointers, to: string): Environment {
  const named = ENVIRONMENTS.find((name) => name === from);
  return named ?? ENVIRONMENTS.find((name) => pointers[name] !== to) ?? 'production';
}

function callersOf({ breaking }: Diff, changes: NonNullable<Diff['schema_changes']>): Child {
  if (changes.length === 0) return false;
  const items = changes.map(({ variable, change }) =>
    h('li', {}, h('code', {}, variable), ` ${t(`change_${change}` as TextKey)}`),
  );
  return notice(
    breaking ? 'warn' : 'ok',
    t(breaking ? 'callers_must_change' : 'callers_may_change'),
    h('ul', {}, items),
  );
}
