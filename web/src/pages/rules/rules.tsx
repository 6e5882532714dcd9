import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TextKey } from '../../i18n/text.ts';
import { useText } from '../../i18n/text.ts';
import { Banner } from '../../ui/banner.tsx';
import { Page } from '../../ui/page.tsx';
import { State } from '../../ui/state.tsx';
import { EnvironmentTags, Tag } from '../../ui/tag.tsx';
import { Tally } from '../../ui/tally.tsx';
import css from './rules.module.css';

/** The design on one page: each rule, how it looks, and what it rules out. It is also the visual test of the parts. */
export function Rules() {
  const t = useText();
  return (
    <Page name={t('rules.title')}>
      <div className={css.rules}>
        <div className={css.head}>
          <span className="cap">{t('rules.rule')}</span>
          <span className="cap">{t('rules.do')}</span>
          <span className="cap">{t('rules.dont')}</span>
        </div>
        <Rule rule="rules.strike" dont="rules.strike.not">
          <span className="row gap3">
            <span className="mono small dim">TIDE-MUG-SND</span>
            <span className="was">6</span>
            <span className="now up">24</span>
          </span>
        </Rule>
        <Rule rule="rules.figure" dont="rules.figure.not">
          <div className="col grow">
            <span className="fig">
              312<small> {t('usage.of', { limit: 1000 })}</small>
            </span>
            <Tally value={312} max={1000} label={t('usage.label')} />
          </div>
        </Rule>
        <Rule rule="rules.marigold" dont="rules.marigold.not">
          <span className="row wrap">
            <Button>{t('action.cancel')}</Button>
            <Button variant="filled">{t('editor.save')}</Button>
            <Button disabled>{t('environments.same')}</Button>
          </span>
        </Rule>
        <Rule rule="rules.tag" dont="rules.tag.not">
          <span className="row wrap">
            <span className="mono small">v2.1.0</span>
            <EnvironmentTags names={['staging', 'production']} />
            <Tag kind="ghost">holiday</Tag>
          </span>
        </Rule>
        <Rule rule="rules.state" dont="rules.state.not">
          <span className="row wrap gap4">
            <State kind="ok">{t('rules.state.ok')}</State>
            <State kind="warn">{t('rules.state.warn')}</State>
            <State kind="err">{t('rules.state.err')}</State>
            <State kind="void">{t('rules.state.void')}</State>
          </span>
        </Rule>
        <Rule rule="rules.margin" dont="rules.margin.not">
          <table className="ledger data">
            <tbody>
              <tr>
                <td className="m">17</td>
                <td className="mono small">CLAY-DISH-02</td>
                <td className="n">12.50</td>
              </tr>
              <tr data-bad>
                <td className="m">38</td>
                <td className="mono small">GLAZE-KIT</td>
                <td className="n">12,5O</td>
              </tr>
            </tbody>
          </table>
        </Rule>
        <Rule rule="rules.failure" dont="rules.failure.not">
          <Banner tone="err" title={t('rules.failure.title')} id="req_1m7zk4ftbt">
            {t('rules.failure.next')}
          </Banner>
        </Rule>
        <Rule rule="rules.button" dont="rules.button.not">
          <Button variant="filled">{t('environments.promoteTo', { environment: 'production' })}</Button>
        </Rule>
      </div>
    </Page>
  );
}

type RuleProps = { readonly rule: TextKey; readonly dont: TextKey; readonly children: ReactNode };

function Rule({ rule, dont, children }: RuleProps) {
  const t = useText();
  return (
    <div className={css.row}>
      <p className="strong">{t(rule)}</p>
      <div className="row">{children}</div>
      <p className={`was ${css.not}`}>{t(dont)}</p>
    </div>
  );
}
