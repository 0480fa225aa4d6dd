import { createDocuments } from '../../server/documents/documents.ts';
import { ownChildren } from '../bench/own-children.ts';

// Stands for a gateway that is killed: starts the process of documents and reports its process ID.

const [folder = ''] = process.argv.slice(2);
const documents = createDocuments({ folders: [folder] });
await documents.quickCheck([{ bytes: Buffer.from('A letter.'), fileName: 'a.txt', declaredType: null }]);
process.send?.(ownChildren().map(({ pid }) => pid));
