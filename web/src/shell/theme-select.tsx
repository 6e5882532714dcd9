import { Monitor, Moon, Sun } from 'lucide-react';
import { useText } from '../i18n/text.ts';
import { setThemeChoice, THEMES, useThemeChoice } from '../theme-choice.ts';

const ICONS = { dark: Moon, light: Sun, system: Monitor };

/** Dark, light, or as the system. The browser's own list lies over the icon: it is small, and right on every device. */
export function ThemeSelect() {
  const t = useText();
  const choice = useThemeChoice();
  const Icon = ICONS[choice];
  return (
    <span className="theme-select" title={t('theme.choose')}>
      <Icon className="icon s" aria-hidden="true" />
      <select
        aria-label={t('theme.choose')}
        value={choice}
        onChange={({ currentTarget }) => {
          const chosen = THEMES.find((theme) => theme === currentTarget.value);
          if (chosen) setThemeChoice(chosen);
        }}
      >
        {THEMES.map((theme) => (
          <option key={theme} value={theme}>
            {t(`theme.${theme}`)}
          </option>
        ))}
      </select>
    </span>
  );
}
