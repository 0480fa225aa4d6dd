import { pages as read } from 'virtual:help-pages';
import type { HelpPage } from './help-page.ts';

/** All pages, in the order of the list; the build made them of this type. */
export const pages = read as readonly HelpPage[];
