import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import type { PagePath } from '../../http/web/pages.ts';
import { Crash } from './shell/crash.tsx';
import { Guard } from './shell/guard.tsx';
import { Shell } from './shell/shell.tsx';

type Module = { readonly default: ComponentType };
/** A page that is loaded when it is first opened, or before. */
type Later = ComponentType & { readonly load: () => Promise<Module> };

/** One that is loaded is shown at once: `lazy` would leave its place empty first, and React keeps that for 300 ms. */
function later(read: () => Promise<Module>): Later {
  let loaded: ComponentType | undefined;
  const load = async () => {
    const module = await read();
    loaded = module.default;
    return module;
  };
  const Lazy = lazy(load);
  function Page() {
    // The same for as long as the page is open: another component would forget what is typed.
    const [Component] = useState(() => loaded ?? Lazy);
    return <Component />;
  }
  return Object.assign(Page, { load });
}

const Dashboard = later(() => import('./pages/today/today.tsx').then(({ Today }) => page(Today)));
const Login = later(() => import('./pages/sign-in/sign-in.tsx').then(({ SignIn }) => page(SignIn)));
const Invitation = later(() =>
  import('./pages/sign-in/invitation.tsx').then(({ InvitationPage }) => page(InvitationPage)),
);
const Missing = later(() => import('./pages/missing.tsx').then(({ Missing: One }) => page(One)));
const Rules = later(() => import('./pages/rules/rules.tsx').then(({ Rules: One }) => page(One)));
const Templates = later(() =>
  import('./pages/templates/list.tsx').then(({ TemplateList }) => page(TemplateList)),
);
const Editor = later(() => import('./pages/templates/editor.tsx').then(({ Editor: One }) => page(One)));
const Difference = later(() =>
  import('./pages/templates/difference.tsx').then(({ Difference: One }) => page(One)),
);
const Merge = later(() => import('./pages/templates/merge.tsx').then(({ Merge: One }) => page(One)));
const Environments = later(() =>
  import('./pages/templates/environments.tsx').then(({ Environments: One }) => page(One)),
);
const Generator = later(() => import('./pages/hooks/generator.tsx').then(({ Generator: One }) => page(One)));
const History = later(() => import('./pages/hooks/history.tsx').then(({ History: One }) => page(One)));
const Usage = later(() => import('./pages/hooks/usage.tsx').then(({ Usage: One }) => page(One)));
const Billing = later(() => import('./pages/billing/billing.tsx').then(({ Billing: One }) => page(One)));
const Profile = later(() => import('./pages/profile/profile.tsx').then(({ Profile: One }) => page(One)));
const People = later(() => import('./pages/settings/people.tsx').then(({ People: One }) => page(One)));
const Account = later(() => import('./pages/settings/account.tsx').then(({ Account: One }) => page(One)));
const Stores = later(() => import('./pages/sync/stores.tsx').then(({ Stores: One }) => page(One)));
const Sheets = later(() => import('./pages/sync/sheets.tsx').then(({ Sheets: One }) => page(One)));
const Mappings = later(() => import('./pages/sync/mappings.tsx').then(({ Mappings: One }) => page(One)));
const Runs = later(() => import('./pages/sync/runs.tsx').then(({ Runs: One }) => page(One)));
const Plan = later(() => import('./pages/sync/plan.tsx').then(({ Plan: One }) => page(One)));
const Run = later(() => import('./pages/sync/run.tsx').then(({ RunPage }) => page(RunPage)));
const Docs = later(() => import('./pages/docs/docs.tsx').then(({ Docs: One }) => page(One)));
const Assets = later(() => import('./pages/assets/assets.tsx').then(({ Assets: One }) => page(One)));
const Brand = later(() => import('./pages/brand/brand.tsx').then(({ BrandPage }) => page(BrandPage)));
const VideoTemplates = later(() =>
  import('./pages/videos/templates.tsx').then(({ VideoTemplates: One }) => page(One)),
);
const VideoTemplate = later(() =>
  import('./pages/videos/template/template-page.tsx').then(({ TemplatePage }) => page(TemplatePage)),
);
const Videos = later(() =>
  import('./pages/videos/gallery.tsx').then(({ VideoGallery }) => page(VideoGallery)),
);
const NewVideo = later(() => import('./pages/videos/new-video.tsx').then(({ NewVideo: One }) => page(One)));
const Video = later(() => import('./pages/videos/video.tsx').then(({ VideoPage }) => page(VideoPage)));

type InShell = Exclude<PagePath, '/' | '/login' | '/register' | '/invitations/:token'>;

/** The server's list of pages decides which there are: one too few or too many does not compile. */
const IN_SHELL: Readonly<Record<InShell, Later>> = {
  '/assets': Assets,
  '/billing': Billing,
  '/brand': Brand,
  '/dashboard': Dashboard,
  '/docs': Docs,
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

/** Loads the page of an address, before there is anything to show it in. */
export async function loadAhead(path: string): Promise<void> {
  const pages: Readonly<Record<PagePath, Later>> = {
    '/': Dashboard,
    '/login': Login,
    '/register': Login,
    '/invitations/:token': Invitation,
    ...IN_SHELL,
  };
  const found = Object.entries(pages).find(([pattern]) =>
    new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`).test(path),
  );
  // What fails is tried again when the page is shown.
  await found?.[1].load().catch(() => undefined);
}

const OPEN: readonly InShell[] = ['/docs', '/rules'];

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
          <Route path="/invitations/:token">
            <Invitation />
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
