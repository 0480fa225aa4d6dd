import { settings } from './settings.ts';
import { setup } from './setup.ts';
import { system } from './system.ts';

export const administration = { settings, setup, system };
