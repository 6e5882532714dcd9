type Environment = Readonly<Record<string, string | undefined>>;

// The last five are what programs need on Windows.
const MACHINE_VARIABLES = [
  ...['PATH', 'HOME', 'TMPDIR', 'TZ', 'FONTCONFIG_FILE', 'FONTCONFIG_PATH'],
  ...['SystemRoot', 'TEMP', 'USERPROFILE', 'LOCALAPPDATA', 'PROGRAMFILES'],
];

/** The environment of child processes: paths of programs, home and fonts. It never contains a secret. */
export function machineEnvironment(env: Environment = process.env): Environment {
  return Object.fromEntries(MACHINE_VARIABLES.map((name) => [name, env[name]]).filter(([, value]) => value));
}
