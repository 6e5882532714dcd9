import { button, h, notice, show } from './dom.ts';
import type { Host, Opened } from './host.ts';
import { start } from './start.ts';
import { count, number, t } from './texts.ts';

/** Hooks to copy, to rate, and to have more of. */

type Hook = {
  readonly text: string;
  readonly style: string;
  readonly score: number;
  readonly why: string;
  readonly chars: number;
  readonly seconds: number;
  readonly used: boolean | null;
  readonly winner: boolean | null;
};

type Generation = {
  readonly id: string;
  readonly topic: string;
  readonly platform: string | null;
  readonly language: string | null;
  readonly provider: string;
  readonly details: readonly Hook[];
};

/** How many hooks one click asks for: the least that generate_hooks takes. */
const MORE = 3;
/** Hooks from patterns, which need no model. */
const BUILT_IN = 'builtin';
/** The platform of hooks for none in particular. */
const ANYWHERE = 'generic';
/** Of hooks that a model wrote in the conversation: more come from there too. */
const BY_CLIENT = 'client';

start(async (host: Host, { input, id }: Opened) => {
  let shown = id ?? (typeof input['id'] === 'string' ? input['id'] : undefined);
  if (shown === undefined) return () => show(notice('warn', t('not_stored'), t('not_stored_more')));
  const read = (generation: string) => host.read<Generation>('get_generation', { generation_id: generation });
  let sets = [await read(shown)];

  const rate = async (
    set: Generation,
    index: number,
    rating: { readonly [Key in 'copied' | 'used' | 'winner']?: boolean },
  ) => {
    await host.run('rate_hook', { id: set.id, index, ...rating });
    const details = set.details.map((hook, at) => (at === index ? { ...hook, ...rating } : hook));
    sets = sets.map((one) => (one === set ? { ...set, details } : one));
    draw();
  };
  const more = async ({ topic, platform, language, provider }: Generation, { style, text }: Hook) => {
    if (provider === BY_CLIENT) return host.say(t('ask_for_more', { text, n: MORE }));
    const options = {
      ...(provider === BUILT_IN && { provider }),
      ...(platform !== null && { platform }),
      ...(language !== null && { language }),
    };
    shown = await host.run('generate_hooks', { topic, count: MORE, styles: [style], ...options });
    if (shown !== undefined) sets = [...sets, await read(shown)];
    draw();
  };

  function hookOf(set: Generation, hook: Hook, index: number): HTMLElement {
    const facts = [
      hook.style,
      t('score', { score: hook.score }),
      count('characters', hook.chars),
      t('spoken', { seconds: number(hook.seconds) }),
    ];
    const used = hook.used === true;
    const usedButton = button(t('used'), () => rate(set, index, { used: !used }), {
      label: t('used_label', { text: hook.text }),
    });
    usedButton.querySelector('button')?.setAttribute('aria-pressed', String(used));
    return h(
      'li',
      { class: used ? 'hook used' : 'hook' },
      h(
        'div',
        {},
        h('p', { class: 'line', lang: set.language ?? undefined }, hook.text),
        h('p', { class: 'small' }, hook.why),
        h('p', { class: 'small mono' }, facts.join(' · ')),
        h(
          'div',
          { class: 'bar' },
          button(t('copy'), () => copy(hook.text).then(() => rate(set, index, { copied: true })), {
            label: t('copy_label', { text: hook.text }),
          }),
          usedButton,
          button(
            set.provider === BY_CLIENT ? t('more') : t('more_units', { n: MORE }),
            () => more(set, hook),
            { kind: 'quiet', label: t('more_label', { text: hook.text }) },
          ),
        ),
      ),
    );
  }

  let copied = '';
  async function copy(text: string): Promise<void> {
    await copyText(text);
    copied = text;
  }

  function draw(): void {
    const [first] = sets;
    if (!first) return;
    const { topic, platform } = first;
    const all = sets.reduce((sum, { details }) => sum + details.length, 0);
    show(
      h(
        'header',
        {},
        h('h1', {}, topic),
        h(
          'p',
          { class: 'small' },
          [count('hooks', all), ...(platform === null || platform === ANYWHERE ? [] : [platform])].join(
            ' · ',
          ),
        ),
      ),
      h('p', { class: 'hidden', role: 'status' }, copied !== '' && t('copied', { text: copied })),
      h(
        'ol',
        {},
        sets.flatMap((set) => set.details.map((hook, index) => hookOf(set, hook, index))),
      ),
    );
  }
  return draw;
});

/** A frame without the permission for the clipboard can still copy what is selected in it. */
async function copyText(text: string): Promise<void> {
  const written = await navigator.clipboard?.writeText(text).then(
    () => true,
    () => false,
  );
  if (written) return;
  const area = h('textarea', { class: 'hidden' });
  area.value = text;
  document.body.append(area);
  area.select();
  const selected = document.execCommand('copy');
  area.remove();
  if (!selected) throw new Error(t('not_copied'));
}
