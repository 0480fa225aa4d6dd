export { countPrinted } from './store.ts';
