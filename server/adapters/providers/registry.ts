/** The cloud providers of this release, one line each. People see them in the order of their names here. */
export { cloudone } from './cloudone/definition.ts';
export { cloudtwo } from './cloudtwo/definition.ts';
export { sip } from './sip/definition.ts';
