import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { ImportUndo } from './import-undo.js';
import { Importer } from './importer.js';
import { ImportsQueries } from './imports.queries.js';
import { Imports } from './imports.service.js';

/** Readers of other formats, and the writers that bring them into the graph. */
@Module({
  imports: [GraphModule],
  providers: [Importer, Imports, ImportUndo, ImportsQueries],
  exports: [Importer, Imports, ImportUndo],
})
export class ImportModule {}
