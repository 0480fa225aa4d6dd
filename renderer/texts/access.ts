import { access } from './en/access.ts';
import { accessParts } from './en/access-parts.ts';
import { accessRights } from './en/access-rights.ts';
import { t as daily } from './index.ts';

/** With the words of Access, which come with that screen and not with the first. */
export const t = { ...daily, access: { ...accessParts, ...access, ...accessRights } };
