/** Where a file goes: in the folder, under its name without what a path cannot have. */
export function pathOf(folder: string, name: string): string {
  const ending = /\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0].toLowerCase() ?? '';
  const stem = name
    .slice(0, name.length - ending.length)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '');
  const file = `${stem || 'file'}${ending}`;
  return folder === '' ? file : `${folder.replaceAll(/^\/+|\/+$/g, '')}/${file}`;
}

/** The folder of a path, empty for none. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
