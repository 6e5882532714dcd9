import { h } from './dom.ts';
import { t } from './texts.ts';

export type Look = { readonly width: 'desktop' | 'phone'; readonly light: 'light' | 'dark' };

const WIDTHS = { desktop: 640, phone: 375 } as const;

/**
 * An email in a frame of its own, which has no scripts, no forms, no links and no network: the frame's sandbox and this page's
 * policy each see to that. Where the page is narrower than the email, the email is shown smaller.
 */
export function letterFrame(html: string, { width, light }: Look): HTMLElement {
  const frame = h('iframe', {
    sandbox: '',
    title: t('email'),
    referrerpolicy: 'no-referrer',
    srcdoc: prepared(html, light),
  });
  frame.style.colorScheme = light;
  const box = h('div', {}, frame);
  const fit = new ResizeObserver(([entry]) => {
    const room = entry?.contentRect.width ?? 0;
    if (room > 0) fitFrame(frame, box, { room, wanted: WIDTHS[width], isPhone: width === 'phone' });
  });
  fit.observe(box);
  return box;
}

type Fit = { readonly room: number; readonly wanted: number; readonly isPhone: boolean };

function fitFrame(frame: HTMLElement, box: HTMLElement, { room, wanted, isPhone }: Fit): void {
  const scale = Math.min(1, room / wanted);
  const height = isPhone ? 600 : 520;
  frame.style.width = scale < 1 ? `${wanted}px` : isPhone ? `${wanted}px` : '100%';
  frame.style.height = `${Math.round(height / scale)}px`;
  frame.style.transform = scale < 1 ? `scale(${scale})` : '';
  frame.style.marginInline = scale < 1 ? '0' : 'auto';
  box.style.height = `${height}px`;
}

/** The email without what could leave the frame, in the light that its style sheets are asked for. */
function prepared(html: string, light: Look['light']): string {
  const shown = new DOMParser().parseFromString(html, 'text/html');
  const leaving = 'script, iframe, frame, object, embed, link, base, meta[http-equiv]';
  for (const element of shown.querySelectorAll(leaving)) element.remove();
  // A click would show an error of the browser in place of the email.
  for (const link of shown.querySelectorAll('a[href], area[href]')) {
    link.setAttribute('title', link.getAttribute('href') ?? '');
    // A fragment of the frame's own document; a bare # would be one of this page's.
    link.setAttribute('href', 'about:srcdoc#');
    link.removeAttribute('target');
  }
  const always = (scheme: Look['light']) => (scheme === light ? '(min-width: 0)' : '(max-width: 0)');
  const text = shown.documentElement.outerHTML
    .replace(/\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi, always('dark'))
    .replace(/\(\s*prefers-color-scheme\s*:\s*light\s*\)/gi, always('light'));
  return `<!doctype html>${text}`;
}
