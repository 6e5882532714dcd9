import { setTimeout as delay } from 'node:timers/promises';
import type { CDPSession, KeyInput } from 'puppeteer-core';
import { expect } from 'vitest';
import type { Person } from './person.ts';

/** What has the focus: as a screen reader names it, and what is wrong with how it is shown. */
type Focused = { readonly name: string; readonly role: string; readonly unseen: string | null };

const NOTHING = 'nothing has the focus';
/** More stops than any page has. */
const MOST_STOPS = 200;
const RING_LOOKS = 20;

/** A person at the keyboard alone. After each key, what has the focus must show it. */
export async function keysOf({ page }: Person) {
  const session = await page.createCDPSession();

  async function here(): Promise<Focused> {
    // A menu or dialog that scrolls or appears is in its place with the next frame.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));
    return { ...(await namedFocus(session)), unseen: await page.evaluate(unseenFocus) };
  }

  /** The code editor draws its ring some milliseconds after it has the focus. */
  async function arrived(): Promise<Focused> {
    let focused = await here();
    for (let looks = 0; looks < RING_LOOKS && (focused.unseen ?? NOTHING) !== NOTHING; looks++) {
      await delay(50);
      focused = await here();
    }
    return focused;
  }

  async function go(key: 'Tab' | 'Shift+Tab', name: string | RegExp, role?: string): Promise<void> {
    const stops: string[] = [];
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      await press(key);
      const focused = await arrived();
      // After the last stop comes the browser's own bar, then the first stop again.
      if (focused.unseen === NOTHING) continue;
      expect(`${focused.role} ${focused.name}: ${focused.unseen}`).toBe(
        `${focused.role} ${focused.name}: null`,
      );
      if (isIt(focused, name, role)) return;
      stops.push(`${focused.role} ${focused.name}`);
    }
    throw new Error(`no ${role ?? 'stop'} ${name} among: ${[...new Set(stops)].join(' · ')}`);
  }

  async function press(keys: string): Promise<void> {
    const all = keys.split('+') as KeyInput[];
    const last = all.pop();
    for (const held of all) await page.keyboard.down(held);
    if (last) await page.keyboard.press(last);
    for (const held of all.reverse()) await page.keyboard.up(held);
  }

  return {
    press,
    type: (text: string) => page.keyboard.type(text),
    /** Writes a text in place of the one that is there. */
    async write(text: string): Promise<void> {
      await press('Control+a');
      await page.keyboard.type(text);
    },
    /** Forward, or back, to what has this name. */
    to: (name: string | RegExp, role?: string) => go('Tab', name, role),
    backTo: (name: string | RegExp, role?: string) => go('Shift+Tab', name, role),
    /** Waits until this has the focus, and is seen to have it. */
    async isAt(name: string | RegExp, role?: string): Promise<void> {
      await expect
        .poll(
          async () => {
            const focused = await here();
            return isIt(focused, name, role) ? { unseen: focused.unseen } : focused;
          },
          { timeout: 20_000 },
        )
        .toEqual({ unseen: null });
    },
    /** Runs a command of the palette. */
    async command(label: string): Promise<void> {
      await press('Control+k');
      await this.isAt('Search or run a command');
      await page.keyboard.type(label);
      await page.waitForFunction(
        (wanted) => document.querySelector('.mantine-Spotlight-action')?.textContent?.startsWith(wanted),
        {},
        label,
      );
      await press('ArrowDown');
      await press('Enter');
    },
  };
}

export type Keys = Awaited<ReturnType<typeof keysOf>>;

function isIt(focused: Focused, name: string | RegExp, role: string | undefined): boolean {
  const isNamed = typeof name === 'string' ? focused.name === name : name.test(focused.name);
  return isNamed && (role === undefined || focused.role === role);
}

async function namedFocus(session: CDPSession): Promise<{ readonly name: string; readonly role: string }> {
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.activeElement' });
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  });
  const [node] = nodes;
  return { name: String(node?.name?.value ?? ''), role: String(node?.role?.value ?? '') };
}

/** Runs in the page. Why a person does not see where the focus is; null when they do. */
function unseenFocus(): string | null {
  const focused = document.activeElement;
  if (focused === null || focused === document.body) return 'nothing has the focus';
  const around = [
    focused,
    focused.nextElementSibling,
    focused.parentElement,
    focused.closest('.cm-editor, label'),
  ];
  const ringed = around.find((one) => {
    if (!one || one.getBoundingClientRect().width < 2) return false;
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !/, 0\)$/.test(outlineColor);
  });
  if (!ringed) return 'no ring is drawn';
  const { left, right, top, bottom } = ringed.getBoundingClientRect();
  const isInWindow = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
  if (!isInWindow || right === left || bottom === top) return 'it is outside the window';
  // Half of what can be in the window is enough to see it by.
  const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
  const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
  const above = document.elementFromPoint(x, y);
  const isCovered = above && !ringed.contains(above) && !above.contains(ringed) && !focused.contains(above);
  return isCovered ? `${above.outerHTML.slice(0, 80)} covers it` : null;
}
