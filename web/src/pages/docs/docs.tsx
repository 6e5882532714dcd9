import { useText } from '../../i18n/text.ts';
import { useServerConfig } from '../../session/server-config.ts';
import { Page } from '../../ui/page.tsx';
import { Sample } from '../../ui/sample.tsx';
import { HooksTabs } from '../hooks/tabs.tsx';
import css from './docs.module.css';
import { connections, firstCall } from './samples.ts';

/** The first call in three lines, and how assistants connect to this server. */
export function Docs() {
  const t = useText();
  const { data: config } = useServerConfig();
  const hasKeys = config?.auth.mode !== 'open';
  return (
    <Page name={t('docs.title')} tabs={<HooksTabs />}>
      <div className={css.docs}>
        <div className="col gap3">
          <h2 className="h3">{t('docs.first')}</h2>
          <p className="prose">{t(hasKeys ? 'docs.firstKey' : 'docs.firstOpen')}</p>
          <Sample name={t('docs.first')} code={firstCall(location.origin, hasKeys)} />
          <p>
            <a href="/docs/api">{t('docs.api')}</a>
          </p>
        </div>
        <section className="block col gap4" aria-labelledby="connect">
          <header>
            <h2 className="h3" id="connect">
              {t('docs.connect')}
            </h2>
          </header>
          <p className="prose">{t('docs.connectAbout')}</p>
          {connections(location.origin, hasKeys).map(({ name, file, code }) => (
            <article key={name} className="col gap2">
              <h3 className="h3">
                {name} <span className="mono small dim">{file}</span>
              </h3>
              <Sample name={name} code={code} />
            </article>
          ))}
        </section>
      </div>
    </Page>
  );
}
