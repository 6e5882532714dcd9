import { Link } from 'wouter';
import { getProfile } from '../../api/operations.gen.ts';
import { useRead } from '../../api/read.ts';
import { fullDate } from '../../i18n/dates.ts';
import { useText } from '../../i18n/text.ts';
import { useToken } from '../../session/session.ts';
import { Page } from '../../ui/page.tsx';
import { PLAN_NAMES } from '../billing/standing.tsx';
import { QuotaBadge } from '../hooks/quota.tsx';
import { HooksTabs } from '../hooks/tabs.tsx';
import { AboutMe } from './about-me.tsx';
import { Accounts } from './accounts.tsx';
import { ApiKeys } from './api-keys.tsx';
import css from './profile.module.css';
import { Sessions } from './sessions.tsx';

/** Who one is here, what the plan gives, and who may act for the account. */
export function Profile() {
  const t = useText();
  const { data: profile } = useRead(getProfile, {});
  const token = useToken();
  const plan = profile?.plan ?? 'free';
  return (
    <Page name={t('nav.profile')} tabs={<HooksTabs />}>
      <div className={css.profile}>
        <div className="col gap5">
          <AboutMe profile={profile} />
          {token !== undefined && <Accounts />}
          <ApiKeys plans={profile?.plans} />
          {token !== undefined && <Sessions />}
        </div>
        <aside className="col gap5" aria-label={t('profile.plan')}>
          <section className={`block ${css.first}`} aria-labelledby="plan">
            <header>
              <h2 className="h3" id="plan">
                {t('profile.plan')}
              </h2>
            </header>
            <div className="col gap3">
              <span className="sign h2">
                {profile?.subscription.display_name ?? t(PLAN_NAMES[plan] ?? 'plan.free')}
              </span>
              <QuotaBadge />
              <div className="lines">
                <div>
                  <span>{t('profile.since')}</span>
                  <span>{profile && fullDate(profile.member_since)}</span>
                </div>
                <div>
                  <span>{t('profile.role')}</span>
                  <span>{profile?.role && t(`people.role.${profile.role}`)}</span>
                </div>
              </div>
              <Link href="/billing">{t('quota.plans')}</Link>
            </div>
          </section>
          <section className="block" aria-labelledby="account">
            <header>
              <h2 className="h3" id="account">
                {t('profile.account')}
              </h2>
            </header>
            <div className="lines">
              <div>
                <Link href="/settings/people">{t('people.title')}</Link>
                <span className="dim">{t('people.about')}</span>
              </div>
              <div>
                <Link href="/settings/account">{t('account.title')}</Link>
                <span className="dim">{t('account.about')}</span>
              </div>
            </div>
          </section>
        </aside>
      </div>
    </Page>
  );
}
