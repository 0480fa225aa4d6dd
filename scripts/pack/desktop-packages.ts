import { BY_THEIR_PLACE } from '../build-gateway.ts';
import { serverPackages } from './server/server-packages.ts';

/** Returns `package.json` and `package-lock.json` of the application: the packages that its build leaves out of its files, with what they need. */
export async function desktopPackages(): Promise<{ manifest: object; lock: object }> {
  const { manifest, lock } = await serverPackages(BY_THEIR_PLACE);
  const own = {
    productName: 'Faxdesk',
    author: 'the Faxdesk authors',
    main: 'out/desktop/main.mjs',
    desktopName: 'faxdesk.desktop',
  };
  return { manifest: { ...manifest, ...own }, lock };
}
