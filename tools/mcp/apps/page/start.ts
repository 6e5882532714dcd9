import { messageOf, notice, show, waiting } from './dom.ts';
import { connect, type Host, type Opened } from './host.ts';
import { onLanguage, t } from './texts.ts';

/** What an app shows: read once, drawn again when the language of the host changes. */
export type View = () => void;

/** Opens an app: waits for the host and for the answer of the tool, then hands both over. */
export function start(open: (host: Host, opened: Opened) => Promise<View>): void {
  void run(open).catch((error: unknown) => show(notice('bad', t('not_shown'), messageOf(error))));
}

async function run(open: (host: Host, opened: Opened) => Promise<View>): Promise<void> {
  show(waiting('loading'));
  onLanguage(() => show(waiting('loading')));
  const host = await connect();
  const view = await open(host, await host.opened);
  onLanguage(view);
  view();
}
