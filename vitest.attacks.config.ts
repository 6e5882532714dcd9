import { inPairs } from './vitest.faults.config.ts';

// What an attacker does: a page in a real browser, a stranger with thousands of tries, a model that reads hostile text.
export default inPairs('attacks', ['browser-neighbours', 'lock-out', 'video-memory']);
