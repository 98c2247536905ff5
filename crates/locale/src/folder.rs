//! Static dispatch to the folder of a language: the one place where a language meets its folder.

/// A function or constant of the folder of a language.
macro_rules! in_folder {
    ($language:expr, $($path:tt)+) => {
        match $language {
            $crate::Language::English => $crate::en::$($path)+,
            $crate::Language::Chinese => $crate::zh::$($path)+,
        }
    };
}

/// The sentences of an area: functions that every language's folder has under the same name.
macro_rules! sentences {
    ($area:ident: $($(#[$about:meta])* fn $name:ident($($value:ident: $type:ty),*) -> $text:ty;)+) => {
        $(
            $(#[$about])*
            #[must_use]
            pub fn $name(language: $crate::Language, $($value: $type),*) -> $text {
                in_folder!(language, $area::$name($($value),*))
            }
        )+
    };
}
