import { spokenSeconds } from '../text/text.ts';
import { type CheckedHook, checkHook, type HookContext } from './check-hook.ts';
import { type CraftScore, scoreHook } from './scoring.ts';

export type JudgedHook = CheckedHook & CraftScore & { readonly seconds: number };

/** Everything there is to say of a hook: the cleaned text, whether it can be delivered, and how well it is made. */
export function judgeHook(raw: string, context: HookContext): JudgedHook {
  const checked = checkHook(raw, context);
  return { ...checked, ...scoreHook(checked, context), seconds: spokenSeconds(checked.text) };
}
