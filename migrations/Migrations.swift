enum MigrationsPlaceholder {}
