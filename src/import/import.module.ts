import { Module } from '@nestjs/common';
import { GraphModule } from '../graph/index.js';
import { Importer } from './importer.js';

/** Other people's formats, read into the graph. */
@Module({ imports: [GraphModule], providers: [Importer], exports: [Importer] })
export class ImportModule {}
