import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { PagePath } from '../../http/web/pages.ts';
import { Crash } from './shell/crash.tsx';
import { Guard } from './shell/guard.tsx';
import { Shell } from './shell/shell.tsx';

/** Each page is loaded when it is first opened. */
const Dashboard = lazy(() => import('./pages/today/today.tsx').then(({ Today }) => page(Today)));
const Login = lazy(() => import('./pages/sign-in/sign-in.tsx').then(({ SignIn }) => page(SignIn)));
const Missing = lazy(() => import('./pages/missing.tsx').then(({ Missing: One }) => page(One)));
const Rules = lazy(() => import('./pages/rules/rules.tsx').then(({ Rules: One }) => page(One)));
const Templates = lazy(() =>
  import('./pages/templates/list.tsx').then(({ TemplateList }) => page(TemplateList)),
);
const Editor = lazy(() => import('./pages/templates/editor.tsx').then(({ Editor: One }) => page(One)));
const Difference = lazy(() =>
  import('./pages/templates/difference.tsx').then(({ Difference: One }) => page(One)),
);
const Merge = lazy(() => import('./pages/templates/merge.tsx').then(({ Merge: One }) => page(One)));
const Environments = lazy(() =>
  import('./pages/templates/environments.tsx').then(({ Environments: One }) => page(One)),
);
const Generator = lazy(() => import('./pages/hooks/generator.tsx').then(({ Generator: One }) => page(One)));
const History = lazy(() => import('./pages/hooks/history.tsx').then(({ History: One }) => page(One)));
const Usage = lazy(() => import('./pages/hooks/usage.tsx').then(({ Usage: One }) => page(One)));
const Billing = lazy(() => import('./pages/billing/billing.tsx').then(({ Billing: One }) => page(One)));
const Profile = lazy(() => import('./pages/profile/profile.tsx').then(({ Profile: One }) => page(One)));
const People = lazy(() => import('./pages/settings/people.tsx').then(({ People: One }) => page(One)));
const Account = lazy(() => import('./pages/settings/account.tsx').then(({ Account: One }) => page(One)));
const Stores = lazy(() => import('./pages/sync/stores.tsx').then(({ Stores: One }) => page(One)));
const Sheets = lazy(() => import('./pages/sync/sheets.tsx').then(({ Sheets: One }) => page(One)));
const Mappings = lazy(() => import('./pages/sync/mappings.tsx').then(({ Mappings: One }) => page(One)));
const Runs = lazy(() => import('./pages/sync/runs.tsx').then(({ Runs: One }) => page(One)));
const Plan = lazy(() => import('./pages/sync/plan.tsx').then(({ Plan: One }) => page(One)));
const Run = lazy(() => import('./pages/sync/run.tsx').then(({ RunPage }) => page(RunPage)));
const Assets = lazy(() => import('./pages/assets/assets.tsx').then(({ Assets: One }) => page(One)));
const Brand = lazy(() => import('./pages/brand/brand.tsx').then(({ BrandPage }) => page(BrandPage)));
const VideoTemplates = lazy(() =>
  import('./pages/videos/templates.tsx').then(({ VideoTemplates: One }) => page(One)),
);
const VideoTemplate = lazy(() =>
  import('./pages/videos/template/template-page.tsx').then(({ TemplatePage }) => page(TemplatePage)),
);
const Videos = lazy(() =>
  import('./pages/videos/gallery.tsx').then(({ VideoGallery }) => page(VideoGallery)),
);
const NewVideo = lazy(() => import('./pages/videos/new-video.tsx').then(({ NewVideo: One }) => page(One)));
const Video = lazy(() => import('./pages/videos/video.tsx').then(({ VideoPage }) => page(VideoPage)));

type InShell = Exclude<PagePath, '/' | '/login' | '/register'>;

/** The server's list of pages decides which there are: one too few or too many does not compile. */
const IN_SHELL: Readonly<Record<InShell, ComponentType>> = {
  '/assets': Assets,
  '/billing': Billing,
  '/brand': Brand,
  '/dashboard': Dashboard,
  '/generator': Generator,
  '/history': History,
  '/mapping': Mappings,
  '/profile': Profile,
  '/rules': Rules,
  '/runs': Runs,
  '/runs/plan/:id': Plan,
  '/runs/:id': Run,
  '/settings/account': Account,
  '/settings/people': People,
  '/sheets': Sheets,
  '/stores': Stores,
  '/templates': Templates,
  '/templates/:name': Editor,
  '/templates/:name/diff': Difference,
  '/templates/:name/environments': Environments,
  '/templates/:name/merge': Merge,
  '/usage': Usage,
  '/videos': Videos,
  '/videos/new': NewVideo,
  '/videos/templates': VideoTemplates,
  '/videos/templates/:name': VideoTemplate,
  '/videos/:id': Video,
};

const OPEN: readonly InShell[] = ['/rules'];

export function Routes() {
  return (
    <Crash>
      <Suspense fallback={null}>
        <Switch>
          <Route path="/">
            <Redirect to="/dashboard" replace />
          </Route>
          <Route path="/login">
            <Login />
          </Route>
          <Route path="/register">
            <Login />
          </Route>
          {Object.entries(IN_SHELL).map(([path, Component]) => (
            <Route key={path} path={path}>
              <Framed isOpen={OPEN.some((one) => one === path)}>
                <Component />
              </Framed>
            </Route>
          ))}
          <Route>
            <Framed isOpen={false}>
              <Missing />
            </Framed>
          </Route>
        </Switch>
      </Suspense>
    </Crash>
  );
}

function Framed({ isOpen, children }: { readonly isOpen: boolean; readonly children: ReactNode }) {
  const [path] = useLocation();
  const framed = (
    <Shell>
      <Crash key={path}>
        <Suspense fallback={null}>{children}</Suspense>
      </Crash>
    </Shell>
  );
  return isOpen ? framed : <Guard>{framed}</Guard>;
}

const page = (Component: ComponentType) => ({ default: Component });
