import { Link, useLocation } from 'wouter';
import { useText } from '../i18n/text.ts';
import { isWithin, type Section } from './sections.ts';

/** Leads to a section, and says whether it is open. */
export function SectionLink({
  section,
  className,
}: {
  readonly section: Section;
  readonly className?: string;
}) {
  const t = useText();
  const [path] = useLocation();
  const isOn = isWithin(path, section);
  const Icon = section.icon;
  return (
    <Link
      href={section.to}
      className={className}
      data-on={isOn || undefined}
      data-section={section.section}
      aria-current={isOn ? 'page' : undefined}
    >
      <Icon className="icon" aria-hidden="true" />
      <span>{t(section.label)}</span>
    </Link>
  );
}
