import { type Config, ConfigError, type Environment, readConfig } from '../../../src/config.ts';
import { closest } from '../../../src/platform/closest.ts';
import { SETTINGS } from '../../../src/settings/settings.ts';
import { broken, type Finding, hint, ok } from './finding.ts';

const NAMES = Object.keys(SETTINGS);

/** Reads every setting and every file of a secret. Config is undefined if the server would not start with them. */
export function checkSettings(env: Environment): { config: Config | undefined; finding: Finding } {
  const config = readOrRefuse(env);
  if (config instanceof ConfigError)
    return { config: undefined, finding: broken('settings', config.message, 'See docs/settings.md.') };
  const unknown = misspelled(env);
  const set = NAMES.filter((name) => env[name] || env[`${name}_FILE`]).length;
  const finding =
    unknown.length === 0
      ? ok('settings', `${set} of ${NAMES.length} are set, and all of them are valid`)
      : hint('settings', unknown.join('; '), 'Correct the name, or remove it.');
  return { config, finding };
}

function readOrRefuse(env: Environment): Config | ConfigError {
  try {
    return readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

/** Names that are no setting, and one or two characters from one: others belong to other programs. */
function misspelled(env: Environment): string[] {
  return Object.keys(env).flatMap((name) => {
    const plain = name.replace(/_FILE$/, '');
    if (plain.length < 6 || NAMES.includes(plain) || NAMES.includes(name)) return [];
    const near = closest(plain, NAMES);
    const isNear = near !== undefined && near[0] === plain[0] && Math.abs(near.length - plain.length) <= 1;
    return isNear ? [`${name} is not a setting. Did you mean ${near}?`] : [];
  });
}
