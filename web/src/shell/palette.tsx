import '../ui/styles/modal.ts';
import '@mantine/spotlight/styles.layer.css';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import {
  Clapperboard,
  FileSpreadsheet,
  Languages,
  Mail,
  Megaphone,
  Moon,
  Plus,
  RefreshCw,
  Search,
  Store,
} from 'lucide-react';
import { useEffect } from 'react';
import { useLocation } from 'wouter';
import {
  listSheets,
  listStores,
  listTemplates,
  listVideos,
  listVideoTemplates,
} from '../api/operations.gen.ts';
import { useRead } from '../api/read.ts';
import { language, setLanguage } from '../i18n/language.ts';
import { useText } from '../i18n/text.ts';
import { useServerConfig } from '../session/server-config.ts';
import { useToken } from '../session/session.ts';
import { setThemeChoice } from '../theme-choice.ts';
import { useFocusReturn } from '../ui/focus.ts';
import { SECTIONS, SHARED, SYNC_PARTS } from './sections.ts';

/** The command palette: what one can do comes before where one can go. */
export function Palette({ close }: { readonly close: () => void }) {
  const t = useText();
  useFocusReturn();
  useEffect(() => spotlight.open(), []);
  return (
    <Spotlight
      attributes={{ content: { 'aria-label': t('palette.open') } }}
      actions={useActions()}
      nothingFound={t('palette.nothing')}
      highlightQuery
      shortcut={null}
      onSpotlightClose={close}
      scrollable
      maxHeight={440}
      size={620}
      radius={10}
      overlayProps={{ color: 'var(--shade)', backgroundOpacity: 1 }}
      transitionProps={{ duration: 120, transition: 'fade' }}
      searchProps={{
        leftSection: <Search className="icon" />,
        placeholder: t('palette.what'),
        'aria-label': t('palette.open'),
      }}
    />
  );
}

/** Pages that the navigation does not show. */
const OTHERS = [
  ['/history', 'hooks.history'],
  ['/usage', 'usage.title'],
  ['/settings/people', 'people.title'],
  ['/settings/account', 'account.title'],
  ['/docs', 'docs.title'],
] as const;

function useActions(): SpotlightActionGroupData[] {
  const t = useText();
  const [, go] = useLocation();
  const { data: config } = useServerConfig();
  const isLetIn = useToken() !== undefined || config?.auth.mode === 'open';
  const { data: templates } = useRead(listTemplates, { limit: 200 }, { enabled: isLetIn });
  const { data: stores } = useRead(listStores, { limit: 200 }, { enabled: isLetIn });
  const { data: sheets } = useRead(listSheets, { limit: 200 }, { enabled: isLetIn });
  const { data: videos } = useRead(listVideos, { limit: 50 }, { enabled: isLetIn });
  const { data: looks } = useRead(listVideoTemplates, {}, { enabled: isLetIn });
  const isDark = document.documentElement.classList.contains('dark');
  return [
    {
      group: t('palette.do'),
      actions: [
        {
          id: 'new-template',
          label: t('templates.new'),
          leftSection: <Plus className="icon" />,
          onClick: () => go('/templates?new'),
        },
        {
          id: 'new-video',
          label: t('videos.new'),
          leftSection: <Clapperboard className="icon" />,
          onClick: () => go('/videos/new'),
        },
        {
          id: 'new-video-template',
          label: t('videoEditor.new'),
          leftSection: <Plus className="icon" />,
          onClick: () => go('/videos/templates?new=1'),
        },
        {
          id: 'write-hooks',
          label: t('generator.title'),
          leftSection: <Megaphone className="icon" />,
          onClick: () => go('/generator'),
        },
        {
          id: 'sync',
          label: t('palette.sync'),
          leftSection: <RefreshCw className="icon" />,
          onClick: () => go('/mapping'),
        },
        {
          id: 'connect-store',
          label: t('stores.connect'),
          leftSection: <Store className="icon" />,
          onClick: () => go('/stores'),
        },
        {
          id: 'connect-sheet',
          label: t('sheets.connect'),
          leftSection: <FileSpreadsheet className="icon" />,
          onClick: () => go('/sheets'),
        },
        {
          id: 'theme',
          label: t(isDark ? 'palette.light' : 'palette.dark'),
          leftSection: <Moon className="icon" />,
          onClick: () => setThemeChoice(isDark ? 'light' : 'dark'),
        },
        {
          id: 'language',
          label: language() === 'en' ? 'Cambiar a español' : 'Switch to English',
          leftSection: <Languages className="icon" />,
          onClick: () => void setLanguage(language() === 'en' ? 'es' : 'en'),
        },
      ],
    },
    {
      group: t('palette.go'),
      actions: [
        ...[...SECTIONS, ...SHARED].map(({ to, label, icon: Icon, key }) => ({
          id: to,
          label: t(label),
          leftSection: <Icon className="icon" />,
          rightSection: <kbd className="k">{`G ${key.toUpperCase()}`}</kbd>,
          onClick: () => go(to),
        })),
        ...OTHERS.map(([to, label]) => ({ id: to, label: t(label), onClick: () => go(to) })),
        ...SYNC_PARTS.map(({ to, label }) => ({
          id: `part ${to}`,
          label: t(label),
          description: t('nav.sync'),
          leftSection: <RefreshCw className="icon" />,
          onClick: () => go(to),
        })),
        ...(stores?.items ?? []).map(({ id, domain }) => ({
          id,
          label: domain,
          description: t('mapping.store'),
          leftSection: <Store className="icon" />,
          onClick: () => go('/stores'),
        })),
        ...(sheets?.items ?? []).map(({ id, name }) => ({
          id,
          label: name,
          description: t('mapping.sheet'),
          leftSection: <FileSpreadsheet className="icon" />,
          onClick: () => go('/sheets'),
        })),
        ...(templates?.items ?? []).map(({ name, version }) => ({
          id: `template ${name}`,
          label: name,
          description: `${t('palette.template')} ${version}`,
          leftSection: <Mail className="icon" />,
          onClick: () => go(`/templates/${encodeURIComponent(name)}`),
        })),
        ...(looks?.items ?? [])
          .filter(({ built_in }) => !built_in)
          .map(({ name, manifest }) => ({
            id: `video template ${name}`,
            label: manifest.title,
            description: t('palette.videoTemplate', { template: name }),
            leftSection: <Clapperboard className="icon" />,
            onClick: () => go(`/videos/templates/${encodeURIComponent(name)}`),
          })),
        ...(videos?.items ?? []).map(({ id, title }) => ({
          id: `video ${id}`,
          label: title,
          description: t('palette.video'),
          leftSection: <Clapperboard className="icon" />,
          onClick: () => go(`/videos/${id}`),
        })),
      ],
    },
  ];
}
