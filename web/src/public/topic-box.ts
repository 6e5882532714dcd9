import './public.css';
import { fetchLettersOnceShown } from './letters.ts';

// The one script of the public pages: it writes three hooks in place, without an account. Without it the form leads to the
// generator. It uses no library and no texts of its own: they stand in the page.
fetchLettersOnceShown();

const form = document.querySelector<HTMLFormElement>('form.ask');
const found = document.querySelector<HTMLOListElement>('.found');
const problem = document.querySelector<HTMLElement>('.ask-problem');
const dialog = document.querySelector<HTMLDialogElement>('dialog.keep');

form?.addEventListener('submit', (event) => {
  event.preventDefault();
  void write(form);
});
dialog?.querySelector('button')?.addEventListener('click', () => dialog.close());

async function write(asked: HTMLFormElement): Promise<void> {
  const topic = asked.topic.value.trim();
  const button = asked.querySelector('button');
  tell(topic === '' ? (asked.dataset['empty'] ?? '') : '');
  asked.topic.setAttribute('aria-invalid', String(topic === ''));
  if (topic === '' || !button) {
    asked.topic.focus();
    return;
  }
  if (button.getAttribute('aria-disabled') === 'true') return;
  // Not `disabled`, which would take the focus away.
  button.setAttribute('aria-disabled', 'true');
  found?.setAttribute('aria-busy', 'true');
  try {
    await ask(asked, topic);
  } catch {
    tell(asked.dataset['failed'] ?? '');
  } finally {
    button.removeAttribute('aria-disabled');
    found?.removeAttribute('aria-busy');
  }
}

async function ask(asked: HTMLFormElement, topic: string): Promise<void> {
  const first = await generate({ topic, count: 3 });
  // A server without a model's key has patterns of its own.
  const isKeyless = first.body.code === 'api_key_required';
  const { status, body } = isKeyless ? await generate({ topic, count: 3, provider: 'builtin' }) : first;
  if (body.hooks) {
    show(body.hooks);
    if (count() === 1) dialog?.showModal();
  } else {
    tell(body.message ?? asked.dataset['failed'] ?? '');
    if (status === 429) dialog?.showModal();
  }
}

type Answer = { readonly hooks?: readonly string[]; readonly code?: string; readonly message?: string };

async function generate(input: object): Promise<{ readonly status: number; readonly body: Answer }> {
  const answer = await fetch('/api/v1/generate', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept-language': document.documentElement.lang },
    body: JSON.stringify(input),
  });
  return { status: answer.status, body: await answer.json() };
}

function show(hooks: readonly string[]): void {
  found?.replaceChildren(
    ...hooks.map((hook) => Object.assign(document.createElement('li'), { textContent: hook })),
  );
  if (found) found.hidden = false;
}

function tell(words: string): void {
  if (!problem) return;
  problem.textContent = words;
  problem.hidden = words === '';
}

/** How often hooks were written here today. The server counts too: this only decides when the invitation is shown. */
function count(): number {
  const now = new Date();
  const date = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const next = kept(date) + 1;
  localStorage.setItem('anon_hooks', JSON.stringify({ date, count: next }));
  return next;
}

function kept(today: string): number {
  try {
    const { date, count: times } = JSON.parse(localStorage.getItem('anon_hooks') ?? '');
    return date === today && Number.isInteger(times) ? times : 0;
  } catch {
    return 0;
  }
}
